package io.dxnet.softhca.roce;

/**
 * One request, as its requester needs it; filled by a {@link RequestSource},
 * used again and again.
 */
public final class Request {
    /** What it does. */
    public RequestKind kind = RequestKind.SEND;

    /** The bytes to send, to write or to read. */
    public long length;

    /** Whether the receiver is to wake its application. */
    public boolean solicited;

    /** Whether it starts only when all earlier reads and atomic operations are answered. */
    public boolean fenced;

    /** In network byte order as an int. */
    public int immediate;

    /** The remote key of the peer's memory window that it invalidates. */
    public int invalidateKey;

    /** An address of the peer. */
    public long remoteAddress;

    /** The key of the peer's memory. */
    public int remoteKey;

    /** What an atomic operation writes or adds. */
    public long swapOrAdd;

    /** What an atomic operation compares with. */
    public long compare;

    /** Creates an empty one. */
    public Request() {}
}
