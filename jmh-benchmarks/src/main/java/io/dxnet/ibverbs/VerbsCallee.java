package io.dxnet.ibverbs;

/** What is at the other end of a call of the data path. The same function for C, JNI and FFM. */
public enum VerbsCallee {
    /** A function of libc that returns 0. */
    EMPTY("idle0"),
    /**
     * A function in C that touches what a driver in user space touches. Needs the compiled library.
     */
    DRIVER(NativeVerbsProvider.DEVICE);

    final String device;

    VerbsCallee(String device) {
        this.device = device;
    }
}
