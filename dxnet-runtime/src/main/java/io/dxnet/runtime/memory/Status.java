package io.dxnet.runtime.memory;

import io.dxnet.MessageFormatException;

/** What the owner of a region answers; its ordinal is on the wire. */
enum Status {
    OK,
    REVOKED,
    OUT_OF_BOUNDS,
    NO_RIGHT,
    NO_REGION,
    /** The attachment is none of this incarnation and this peer. */
    UNKNOWN_ATTACHMENT,
    /** An atomic whose offset is not a multiple of 8. */
    MISALIGNED;

    private static final Status[] ALL = values();

    byte code() {
        return (byte) ordinal();
    }

    static Status of(byte code) {
        if (code < 0 || code >= ALL.length) {
            throw new MessageFormatException("the unknown status " + code + " of an operation on remote memory");
        }
        return ALL[code];
    }
}
