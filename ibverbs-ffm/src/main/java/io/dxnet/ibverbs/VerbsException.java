package io.dxnet.ibverbs;

import java.io.Serial;
import java.util.Objects;

/**
 * A verb failed. The message names the verb, the error number and, where it is known, what to do.
 */
public class VerbsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The verb's C name. */
    private final String verb;

    /** The error number of {@code errno.h}. */
    private final int errno;

    /**
     * Creates the exception.
     *
     * @param verb the verb's C name, for instance {@code ibv_reg_mr}
     * @param errno the error number (positive, as in {@code errno.h}), 0 where the verb set none
     * @param whatToDo what failed and what to do about it, may be empty
     */
    public VerbsException(String verb, int errno, String whatToDo) {
        super(message(verb, errno, whatToDo));
        this.verb = Objects.requireNonNull(verb);
        this.errno = errno;
    }

    private static String message(String verb, int errno, String whatToDo) {
        String error = errno == 0 ? " failed" : " failed: " + Errno.describe(errno);
        return whatToDo.isEmpty() ? verb + error : verb + error + ": " + whatToDo;
    }

    /**
     * Names the verb that failed.
     *
     * @return its C name
     */
    public String verb() {
        return verb;
    }

    /**
     * Returns the error number.
     *
     * @return the value of {@code errno.h}, 0 where the verb set none
     */
    public int errno() {
        return errno;
    }
}
