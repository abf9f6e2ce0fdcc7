package io.dxnet.runtime.memory;

import io.dxnet.Exportable;
import io.dxnet.Message;
import io.dxnet.MessageFormatException;
import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.wire.SegmentExporter;
import io.dxnet.runtime.wire.SegmentImporter;
import io.dxnet.spi.MessageAccess;
import io.dxnet.tools.fuzz.FuzzTarget;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The messages of remote memory. The outcome is the same wherever the payload is cut; what was read
 * is written and read again; a write changes the bytes of its range and no other.
 *
 * <p>The first byte chooses the message, the rest is its payload.
 */
public final class MemoryMessagesTarget implements FuzzTarget {
    private static final MessageAccess ACCESS = MessageAccess.get();
    private static final int NODE = 4;
    private static final long ATTACHMENT = 0x0706_0504_0302_0100L;
    private static final int REGION_BYTES = 64;
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = 0x5A;
    private static final int WRITE = 3;
    private static final int READ_REPLY = 6;
    private static final int KINDS = 8;
    private static final int READ_BYTES = 16;

    private final byte[] memory = new byte[REGION_BYTES + 2 * GUARD_BYTES];
    private final byte[] target = new byte[READ_BYTES + 2 * GUARD_BYTES];
    private final PeerConnection peer = Buffers.connection(NODE);
    private final OwnedRegions regions = new OwnedRegions(null, 1 << 10);
    private final Message[] used = new Message[KINDS]; // again for each payload, as a handler does

    /** Creates the target. */
    public MemoryMessagesTarget() {
        OwnedRegion region = new OwnedRegion(
                regions,
                1,
                "region",
                MemorySegment.ofArray(memory).asSlice(GUARD_BYTES, REGION_BYTES),
                Set.of(Right.WRITE),
                Peers.all(),
                1);
        regions.put(new Attachment(ATTACHMENT, NODE, peer.peerIncarnation(), region, null));
    }

    @Override
    public String name() {
        return "memory-messages";
    }

    @Override
    public List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {1, 2, 3});
        seeds.add(seed(0, new AttachRequest(1, "index", new byte[] {9, 8})));
        seeds.add(seed(1, new AttachReply()));
        seeds.add(seed(2, new ReadRequest(1).read(ATTACHMENT, 5, bytes)));
        for (long offset : new long[] {0, REGION_BYTES - 3, REGION_BYTES, -1, Long.MAX_VALUE}) {
            seeds.add(seed(WRITE, new WriteRequest(1).write(ATTACHMENT, offset, bytes)));
            seeds.add(seed(
                    WRITE, new WriteRequest(1).write(ATTACHMENT, offset, bytes).notify(offset, 3, 7)));
        }
        seeds.add(seed(WRITE, new WriteRequest(1).write(ATTACHMENT + 1, 0, bytes)));
        seeds.add(seed(4, new AtomicRequest(1).compareAndSet(ATTACHMENT, 8, 1, 2)));
        seeds.add(seed(5, new StatusReply(WriteRequest.TYPE)));
        seeds.add(new byte[] {READ_REPLY, 1});
        seeds.add(new byte[2 + READ_BYTES]);
        seeds.getLast()[0] = READ_REPLY;
        seeds.add(seed(7, new Notice(1, Notice.REVOKED, ATTACHMENT)));
        return seeds;
    }

    private static byte[] seed(int kind, Exportable message) {
        byte[] payload = write(message);
        byte[] seed = new byte[1 + payload.length];
        seed[0] = (byte) kind;
        System.arraycopy(payload, 0, seed, 1, payload.length);
        return seed;
    }

    private static byte[] write(Exportable message) {
        Out out = new Out(message.sizeOfObject());
        message.exportObject(out);
        return out.bytes();
    }

    private Message empty(int kind) {
        Message message = switch (kind) {
            case 0 -> new AttachRequest();
            case 1 -> new AttachReply();
            case 2 -> new ReadRequest();
            case WRITE -> new WriteRequest(regions);
            case 4 -> new AtomicRequest();
            case 5 -> new StatusReply(WriteRequest.TYPE);
            case READ_REPLY ->
                new ReadReply(new ReadRequest(1)
                        .read(ATTACHMENT, 0, MemorySegment.ofArray(target).asSlice(GUARD_BYTES, READ_BYTES)));
            default -> new Notice();
        };
        ACCESS.received(message, NODE, 0, 0, 0, 1, peer);
        return message;
    }

    /** What became of a payload: its error, or what the message is worth. */
    private String read(int kind, byte[] payload, int pieceMax) {
        Arrays.fill(memory, GUARD);
        Arrays.fill(target, GUARD);
        Message message = used[kind] == null ? empty(kind) : used[kind];
        used[kind] = message;
        In in = new In(payload, pieceMax);
        try {
            message.importObject(in);
        } catch (MessageFormatException e) { // as documented
            return "malformed";
        }
        check(kind, message, payload);
        if (in.remaining() > 0) {
            return in.remaining() + " bytes are left"; // an engine refuses it
        }
        boolean isCopy = kind == WRITE || kind == READ_REPLY;
        if (!isCopy) {
            byte[] again = write(message);
            Message other = empty(kind);
            other.importObject(new In(again, Integer.MAX_VALUE));
            if (!Arrays.equals(write(other), again)) {
                throw new AssertionError(message + " is another one when it is read again");
            }
        }
        return "read " + Arrays.hashCode(memory) + " " + Arrays.hashCode(target);
    }

    private void check(int kind, Message message, byte[] payload) {
        checkGuards(target, READ_BYTES);
        checkGuards(memory, REGION_BYTES);
        if (kind != WRITE || ((WriteRequest) message).region() == null) {
            for (byte each : memory) {
                if (each != GUARD) {
                    throw new AssertionError("a refused message has written");
                }
            }
            return;
        }
        ByteBuffer words = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        if (words.getLong(0) != ATTACHMENT) {
            throw new AssertionError("an unknown attachment has written");
        }
        boolean notifies = ((WriteRequest) message).notifies();
        int from = 2 * Long.BYTES + 1 + (notifies ? WriteRequest.NOTIFICATION_BYTES : 0);
        byte[] expected = new byte[memory.length];
        Arrays.fill(expected, GUARD);
        System.arraycopy(payload, from, expected, GUARD_BYTES + (int) words.getLong(Long.BYTES), payload.length - from);
        if (!Arrays.equals(memory, expected)) {
            throw new AssertionError("a write has changed other bytes than its range");
        }
    }

    private static void checkGuards(byte[] bytes, int inside) {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (bytes[i] != GUARD || bytes[GUARD_BYTES + inside + i] != GUARD) {
                throw new AssertionError("bytes outside of the memory were written");
            }
        }
    }

    @Override
    public void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int kind = (input[0] & 0xFF) % KINDS;
        byte[] payload = Arrays.copyOfRange(input, 1, input.length);
        String whole = read(kind, payload, Integer.MAX_VALUE);
        for (int pieceMax : new int[] {1, 3, 7}) {
            String cut = read(kind, payload, pieceMax);
            if (!cut.equals(whole)) {
                throw new AssertionError("in pieces of " + pieceMax + " it is " + cut + ", else " + whole);
            }
        }
    }

    @Override
    public long allocationBytesMax(int inputBytes) {
        return (1L << 20) + 4096L * inputBytes; // pieces of one byte; see ImporterTarget
    }

    /** Writes into one piece. */
    private static final class Out extends SegmentExporter {
        private final byte[] bytes;

        Out(int size) {
            this.bytes = new byte[size];
            this.segment = MemorySegment.ofArray(bytes);
            this.limit = size;
        }

        @Override
        protected void nextPiece() {
            throw new AssertionError("a message wrote more than its size");
        }

        byte[] bytes() {
            if (position != limit) {
                throw new AssertionError("a message wrote less than its size");
            }
            return bytes;
        }
    }

    /** Reads pieces of a length. */
    private static final class In extends SegmentImporter {
        private final int pieceMax;

        In(byte[] payload, int pieceMax) {
            this.pieceMax = pieceMax;
            this.segment = MemorySegment.ofArray(payload);
            this.beyond = payload.length;
        }

        @Override
        protected void nextPiece() {
            int bytes = Math.min(pieceMax, beyond);
            limit = position + bytes;
            beyond -= bytes;
        }
    }
}
