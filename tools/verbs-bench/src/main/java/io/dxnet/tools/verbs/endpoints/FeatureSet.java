package io.dxnet.tools.verbs.endpoints;

/**
 * Which features of verbs are on (paper, sections II-B
 * and IV): one by one, all, and all without one.
 */
enum FeatureSet {
    /** One request per post, none inline, each with a completion. */
    NONE("none", false, false, false),
    /** Several requests with one post. */
    POSTLIST("postlist", true, false, false),
    /** The payload is part of the request. */
    INLINE("inline", false, true, false),
    /** One completion for several requests. */
    UNSIGNALED("unsignaled", false, false, true),
    /** All three. */
    ALL("all", true, true, true),
    /** All but chains. */
    ALL_WITHOUT_POSTLIST("all-w/o-postlist", false, true, true),
    /** All but inline data. */
    ALL_WITHOUT_INLINE("all-w/o-inline", true, false, true),
    /** All but unsignaled requests. */
    ALL_WITHOUT_UNSIGNALED("all-w/o-unsignaled", true, true, false);

    private final String label;
    private final boolean postlist;
    private final boolean inline;
    private final boolean unsignaled;

    FeatureSet(String label, boolean postlist, boolean inline, boolean unsignaled) {
        this.label = label;
        this.postlist = postlist;
        this.inline = inline;
        this.unsignaled = unsignaled;
    }

    boolean postlist() {
        return postlist;
    }

    boolean inline() {
        return inline;
    }

    boolean unsignaled() {
        return unsignaled;
    }

    @Override
    public String toString() {
        return label;
    }
}
