package io.dxnet.softhca.roce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One end of a simulated connection: its requests, its receives and its memory. */
final class SimulatedEnd implements RequestSource, RequestSink {
    static final int KEY = 0x77;

    /** What a request is, and what it brought back. */
    static final class Work {
        final Request request = new Request();
        byte[] bytes = {};
        long result;
    }

    /** A message as the application gets it. */
    record Message(boolean isSend, int immediate, int invalidated, byte[] bytes) {}

    final List<Work> works = new ArrayList<>();
    final List<RequestStatus> completed = new ArrayList<>();
    final List<Message> received = new ArrayList<>();

    /** In the order of their execution: the addresses of writes that were completed. */
    final byte[] memory = new byte[1 << 16];

    long counter;
    int atomics;
    int receives;
    boolean broken;
    private byte[] incoming = {};
    private long found;
    private final int room;

    SimulatedEnd(int room) {
        this.room = room;
    }

    void add(Random random, int mtu, int lengthMax) {
        Work work = new Work();
        RequestKind[] kinds = RequestKind.values();
        work.request.kind = kinds[random.nextInt(kinds.length)];
        int bytes = switch (random.nextInt(4)) {
            case 0 -> random.nextInt(4) * mtu;
            case 1 -> random.nextInt(3);
            default -> random.nextInt(lengthMax);
        };
        work.request.length = work.request.kind.isAtomic() ? 8 : Math.min(bytes, room);
        work.request.solicited = random.nextInt(4) == 0;
        work.request.fenced = random.nextInt(8) == 0;
        work.request.immediate = works.size();
        work.request.invalidateKey = works.size();
        work.request.remoteKey = KEY;
        work.request.remoteAddress =
                work.request.kind == RequestKind.READ ? 0 : random.nextInt(memory.length - (int) work.request.length);
        work.request.swapOrAdd = 1;
        work.bytes = new byte[(int) work.request.length];
        if (!work.request.kind.isFetch()) {
            random.nextBytes(work.bytes);
        }
        works.add(work);
    }

    /** Adds a request to send so many bytes, all of them 0. */
    void addSend(int bytes) {
        Work work = new Work();
        work.request.kind = RequestKind.SEND;
        work.request.length = bytes;
        work.bytes = new byte[bytes];
        works.add(work);
    }

    @Override
    public long startable() {
        return works.size();
    }

    @Override
    public RequestStatus load(long sequence, Request into) {
        Request from = works.get((int) sequence).request;
        into.kind = from.kind;
        into.length = from.length;
        into.solicited = from.solicited;
        into.fenced = from.fenced;
        into.immediate = from.immediate;
        into.invalidateKey = from.invalidateKey;
        into.remoteAddress = from.remoteAddress;
        into.remoteKey = from.remoteKey;
        into.swapOrAdd = from.swapOrAdd;
        into.compare = from.compare;
        return RequestStatus.SUCCESS;
    }

    @Override
    public RequestStatus execute(long sequence) {
        if (sequence != completed.size()) {
            throw new AssertionError("request " + sequence + " is executed after " + completed.size() + " others");
        }
        works.get((int) sequence).result++;
        return RequestStatus.SUCCESS;
    }

    private static MemorySegment payload(Packet packet, int bytes) {
        return MemorySegment.ofBuffer(packet.bytes().duplicate().clear())
                .asSlice(
                        packet.payloadAddress()
                                - MemorySegment.ofBuffer(packet.bytes()).address(),
                        bytes);
    }

    @Override
    public boolean gather(long sequence, long offset, Packet packet, int bytes) {
        MemorySegment.copy(
                works.get((int) sequence).bytes, (int) offset, payload(packet, bytes), ValueLayout.JAVA_BYTE, 0, bytes);
        return true;
    }

    @Override
    public boolean scatter(long sequence, long offset, Packet packet) {
        copy(packet, works.get((int) sequence).bytes, (int) offset);
        return true;
    }

    private static void copy(Packet packet, byte[] to, int at) {
        int bytes = packet.payloadBytes();
        MemorySegment.copy(payload(packet, bytes), ValueLayout.JAVA_BYTE, 0, to, at, bytes);
    }

    @Override
    public boolean scatterValue(long sequence, long value) {
        works.get((int) sequence).result = value;
        return true;
    }

    @Override
    public void complete(long sequence, RequestStatus status) {
        if (sequence != completed.size()) {
            throw new AssertionError("request " + sequence + " completes as number " + completed.size());
        }
        completed.add(status);
        broken |= status != RequestStatus.SUCCESS;
    }

    @Override
    public Answer beginReceive() {
        if (receives == 0) {
            return Answer.NOT_READY;
        }
        receives--;
        incoming = new byte[room];
        return Answer.DONE;
    }

    @Override
    public Answer receive(long offset, Packet packet) {
        if (offset + packet.payloadBytes() > room) {
            return Answer.INVALID_REQUEST;
        }
        copy(packet, incoming, (int) offset);
        return Answer.DONE;
    }

    @Override
    public Answer endReceive(boolean isSend, long length, Packet packet) {
        byte[] bytes = isSend ? java.util.Arrays.copyOf(incoming, (int) length) : new byte[(int) length];
        int immediate = Opcode.hasImmediate(packet.opcode()) ? packet.immediate() : -1;
        int invalidated = Opcode.hasInvalidate(packet.opcode()) ? packet.invalidateKey() : -1;
        received.add(new Message(isSend, immediate, invalidated, bytes));
        return Answer.DONE;
    }

    @Override
    public Answer checkWrite(long address, int key, long length) {
        return fits(address, key, length);
    }

    private Answer fits(long address, int key, long length) {
        return key == KEY && address >= 0 && address + length <= memory.length ? Answer.DONE : Answer.ACCESS_ERROR;
    }

    @Override
    public Answer write(long address, int key, Packet packet) {
        copy(packet, memory, (int) address);
        return Answer.DONE;
    }

    @Override
    public void endWrite() {}

    @Override
    public Answer checkRead(long address, int key, long length) {
        return fits(address, key, length);
    }

    @Override
    public Answer read(long address, int key, Packet packet, int bytes) {
        for (int i = 0; i < bytes; i++) {
            payload(packet, bytes).set(ValueLayout.JAVA_BYTE, i, pattern(address + i));
        }
        return Answer.DONE;
    }

    /** What a read of an address brings, whatever was written. */
    static byte pattern(long address) {
        return (byte) (address * 31 + (address >> 8));
    }

    @Override
    public Answer atomic(boolean swaps, long address, int key, long swapOrAdd, long compare) {
        found = counter++;
        atomics++;
        return Answer.DONE;
    }

    @Override
    public long atomicResult() {
        return found;
    }

    @Override
    public void refuseInvalid() {
        throw new AssertionError("a request out of order");
    }

    @Override
    public int notReadyTimer() {
        return 1;
    }
}
