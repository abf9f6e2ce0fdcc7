package io.dxnet.softhca.roce;

/** The requests and the memory of a connection, which checks all that it is asked for. */
final class HostileEnd implements RequestSource, RequestSink {
    static final int KEY = 7;
    private static final int MEMORY_BYTES = 4096;
    private static final int RECEIVE_BYTES = 1000;

    private final int requests;
    private long completed;
    private boolean failed;
    private boolean refused;
    private boolean receiving;
    private int receives = 4;

    HostileEnd(int requests) {
        this.requests = requests;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    void verify() {
        require(failed || completed == requests, completed + " requests ended, and none failed");
    }

    @Override
    public long startable() {
        return requests;
    }

    @Override
    public RequestStatus load(long sequence, Request into) {
        require(sequence >= completed && sequence < requests && !failed, "request " + sequence);
        into.kind = RequestKind.values()[(int) sequence % RequestKind.values().length];
        into.length = into.kind.isAtomic() ? 8 : 100 * sequence;
        into.remoteKey = KEY;
        return RequestStatus.SUCCESS;
    }

    @Override
    public RequestStatus execute(long sequence) {
        require(sequence == completed && !failed, "request " + sequence + " is executed");
        return RequestStatus.SUCCESS;
    }

    private static long lengthOf(long sequence) {
        return RequestKind.values()[(int) sequence % RequestKind.values().length].isAtomic() ? 8 : 100 * sequence;
    }

    @Override
    public boolean gather(long sequence, long offset, Packet packet, int bytes) {
        require(offset >= 0 && bytes > 0 && offset + bytes <= lengthOf(sequence), "gathers outside");
        return true;
    }

    @Override
    public boolean scatter(long sequence, long offset, Packet packet) {
        require(sequence == completed && !failed, "an answer to request " + sequence);
        require(offset >= 0 && offset + packet.payloadBytes() <= lengthOf(sequence), "scatters outside");
        return true;
    }

    @Override
    public boolean scatterValue(long sequence, long value) {
        require(sequence == completed && !failed, "an answer to request " + sequence);
        return true;
    }

    @Override
    public void complete(long sequence, RequestStatus status) {
        require(sequence == completed && !failed, "request " + sequence + " completes");
        completed++;
        failed = status != RequestStatus.SUCCESS;
    }

    private void requireAlive() {
        require(!refused, "asked after a refusal");
    }

    private Answer refuse(Answer answer) {
        refused = true;
        return answer;
    }

    @Override
    public Answer beginReceive() {
        requireAlive();
        receiving = receives-- > 0;
        return receiving ? Answer.DONE : Answer.NOT_READY;
    }

    @Override
    public Answer receive(long offset, Packet packet) {
        requireAlive();
        require(receiving && offset >= 0, "no receive");
        return offset + packet.payloadBytes() <= RECEIVE_BYTES ? Answer.DONE : refuse(Answer.INVALID_REQUEST);
    }

    @Override
    public Answer endReceive(boolean isSend, long length, Packet packet) {
        requireAlive();
        require(receiving && length >= 0, "no receive");
        receiving = false;
        boolean fits = !Opcode.hasInvalidate(packet.opcode()) || packet.invalidateKey() == KEY;
        return fits ? Answer.DONE : refuse(Answer.ACCESS_ERROR);
    }

    private Answer check(long address, int key, long length) {
        requireAlive();
        boolean fits = length == 0 || address >= 0 && address <= MEMORY_BYTES && length <= MEMORY_BYTES - address;
        return key == KEY && fits ? Answer.DONE : refuse(Answer.ACCESS_ERROR);
    }

    @Override
    public Answer checkWrite(long address, int key, long length) {
        return check(address, key, length);
    }

    @Override
    public Answer write(long address, int key, Packet packet) {
        require(check(address, key, packet.payloadBytes()) == Answer.DONE, "writes what was not allowed");
        return Answer.DONE;
    }

    @Override
    public void endWrite() {
        requireAlive();
    }

    @Override
    public Answer checkRead(long address, int key, long length) {
        return check(address, key, length);
    }

    @Override
    public Answer read(long address, int key, Packet packet, int bytes) {
        boolean fits = address >= 0 && address + bytes <= MEMORY_BYTES && key == KEY;
        require(fits, "reads what was not allowed");
        return Answer.DONE;
    }

    @Override
    public Answer atomic(boolean swaps, long address, int key, long swapOrAdd, long compare) {
        return check(address, key, 8);
    }

    @Override
    public long atomicResult() {
        return 1;
    }

    @Override
    public void refuseInvalid() {
        requireAlive();
        refused = true;
    }

    @Override
    public int notReadyTimer() {
        return 1;
    }
}
