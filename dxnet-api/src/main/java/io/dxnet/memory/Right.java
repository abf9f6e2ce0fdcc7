package io.dxnet.memory;

/** What a node may do with the memory of another one. */
public enum Right {
    /** Read. */
    READ,
    /** Write, and write and notify. */
    WRITE,
    /** Fetch and add, compare and swap. */
    ATOMIC
}
