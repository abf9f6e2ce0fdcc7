package io.dxnet.tools.bench;

/** The message types of the benchmark. */
final class Types {
    /** {@link StreamMessage}; the subtype is {@link #FRESH} or {@link #REUSED}. */
    static final int STREAM = 200;
    /** {@link VerifiedMessage}; the subtype is the sending thread. */
    static final int VERIFIED = 201;
    /** {@link EchoRequest}. */
    static final int ECHO_REQUEST = 202;
    /** {@link EchoResponse}. */
    static final int ECHO_RESPONSE = 203;
    /** {@link VerifiedRequest}; the subtype is the sending thread. */
    static final int VERIFIED_REQUEST = 204;
    /** {@link VerifiedResponse}. */
    static final int VERIFIED_RESPONSE = 205;
    /** {@link Sample} as a message. */
    static final int SAMPLE = 206;
    /** {@link Sample} as a request. */
    static final int SAMPLE_ECHO = 207;
    /** {@link Command}, {@link Answer} and {@link Note}. */
    static final int CONTROL = 210;

    /** A new object for each message received. */
    static final int FRESH = 0;
    /** One object per handler thread. */
    static final int REUSED = 1;

    /**
     * The most sending threads of a node with verified messages: the subtype distinguishes them.
     */
    static final int VERIFIED_THREADS_MAX = 256;

    private Types() {}
}
