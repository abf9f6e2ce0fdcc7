package io.dxnet.ibverbs;

import java.io.Serial;

/**
 * A post was refused for another reason than a full queue. The
 * requests before the refused one were accepted and will complete.
 */
public final class PostException extends VerbsException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** How many were accepted. */
    private final int accepted;

    /**
     * Creates the exception.
     *
     * @param verb the verb's C name
     * @param errno the error number
     * @param accepted how many requests were accepted before the refused one
     */
    public PostException(String verb, int errno, int accepted) {
        super(verb, errno, "refused request " + accepted + " of the post; those before it were accepted");
        this.accepted = accepted;
    }

    /**
     * Returns the number of requests that were accepted.
     *
     * @return how many, from the first of the post
     */
    public int accepted() {
        return accepted;
    }
}
