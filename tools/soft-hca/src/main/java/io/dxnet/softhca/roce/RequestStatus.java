package io.dxnet.softhca.roce;

/** How a request ended. */
public enum RequestStatus {
    /** As asked. */
    SUCCESS,

    /** The request is longer than a message, or shorter than an atomic operation's result. */
    LOCAL_LENGTH,

    /** The queue pair cannot execute it. */
    LOCAL_OPERATION,

    /** A local key, its range or its rights do not fit. */
    LOCAL_PROTECTION,

    /** A memory window of this side cannot be bound, or invalidated, as the request demands. */
    LOCAL_WINDOW,

    /** The peer answered that the request is invalid. */
    REMOTE_INVALID_REQUEST,

    /** The peer answered that the remote key, its range or its rights do not fit. */
    REMOTE_ACCESS,

    /** The peer could not execute it. */
    REMOTE_OPERATION,

    /** The peer did not answer in the time for all attempts. */
    RETRIES_EXCEEDED,

    /** The peer had no receive at any attempt. */
    NOT_READY_EXCEEDED,

    /** Set by a fault switch; the source knows which status is meant. */
    INJECTED
}
