package io.dxnet.softhca.roce;

/** What the owner of the memory answers to a part of a request. */
public enum Answer {
    /** It is done. */
    DONE,

    /** No receive is posted. */
    NOT_READY,

    /** The request is invalid, or the queue pair does not allow it. */
    INVALID_REQUEST,

    /** The remote key, its range or its rights do not fit. */
    ACCESS_ERROR,

    /** The receive's own memory cannot be written. */
    OPERATION_ERROR
}
