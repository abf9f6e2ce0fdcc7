package io.dxnet.softhca.roce;

/**
 * What one queue pair's responder does with requests. All methods are called on the thread that
 * drives the responder. An answer other than {@code DONE} and {@code NOT_READY} is final: the sink
 * has moved its queue pair to the error state, and the responder asks for nothing any more.
 */
public interface RequestSink {
    /**
     * Removes the oldest receive, which the message that begins, or the immediate data, uses.
     *
     * @return {@code DONE} or {@code NOT_READY}
     */
    Answer beginReceive();

    /**
     * Copies the payload of a send to the receive's memory.
     *
     * @param offset the place of the payload in the message
     * @param packet with the payload
     * @return {@code INVALID_REQUEST} where the receive is too short
     */
    Answer receive(long offset, Packet packet);

    /**
     * Completes the receive, after it has invalidated the memory window that the packet names, if
     * any.
     *
     * @param isSend whether the message was a send, else a write
     * @param length the bytes of the message
     * @param packet the last packet, with the immediate data or the window's key if there are any
     * @return {@code ACCESS_ERROR} where there is no such window
     */
    Answer endReceive(boolean isSend, long length, Packet packet);

    /**
     * Checks whether a write may begin.
     *
     * @param address of this side's memory
     * @param key its key
     * @param length the bytes of the whole write
     * @return {@code DONE} if the whole write is allowed
     */
    Answer checkWrite(long address, int key, long length);

    /**
     * Copies the payload of a write to the memory, if the key fits.
     *
     * @param address where
     * @param key the memory's key
     * @param packet with the payload
     * @return {@code DONE} if it was written
     */
    Answer write(long address, int key, Packet packet);

    /** Called when a write without immediate data is whole. */
    void endWrite();

    /**
     * Checks whether a read may begin.
     *
     * @param address of this side's memory
     * @param key its key
     * @param length the bytes of the whole read
     * @return {@code DONE} if the whole read is allowed
     */
    Answer checkRead(long address, int key, long length);

    /**
     * Copies from the memory to the payload of a packet, if the key fits.
     *
     * @param address where
     * @param key the memory's key
     * @param packet its payload is at {@link Packet#payloadAddress}
     * @param bytes how many
     * @return {@code DONE} if it was read
     */
    Answer read(long address, int key, Packet packet, int bytes);

    /**
     * Executes an atomic operation.
     *
     * @param swaps whether it compares and swaps, else it adds
     * @param address of this side's memory
     * @param key its key
     * @param swapOrAdd what it writes or adds
     * @param compare what it compares with
     * @return {@code DONE} if it was executed
     */
    Answer atomic(boolean swaps, long address, int key, long swapOrAdd, long compare);

    /**
     * {@return what the last atomic operation found}
     */
    long atomicResult();

    /** Refuses a request that is out of order or of a wrong length. */
    void refuseInvalid();

    /**
     * {@return the 5-bit code of the time that a requester is to wait for a receive}
     */
    int notReadyTimer();
}
