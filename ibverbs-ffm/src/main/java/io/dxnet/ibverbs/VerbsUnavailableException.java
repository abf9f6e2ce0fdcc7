package io.dxnet.ibverbs;

import java.io.Serial;

/**
 * Verbs cannot be used here at all. The message states why, and what to install, pass or change.
 */
public final class VerbsUnavailableException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why verbs cannot be used. */
    public enum Cause {
        /** The library is not on this machine. */
        NOT_INSTALLED,
        /** This JVM was started without native access for the binding. */
        NATIVE_ACCESS_DENIED,
        /** The library is there, but it is not the C interface this binding was made for. */
        INCOMPATIBLE,
        /** This JVM lacks something that the binding's safety rests on. */
        UNSUPPORTED_JVM,
        /** The library works and has no device, or not the one asked for. */
        NO_DEVICE
    }

    /** Which of the causes. */
    private final Cause kind;

    /**
     * Creates the exception.
     *
     * @param kind which of the causes
     * @param message why, and what to do
     * @param cause the failure below, or null
     */
    public VerbsUnavailableException(Cause kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * Returns why verbs cannot be used.
     *
     * @return which of the causes
     */
    public Cause kind() {
        return kind;
    }
}
