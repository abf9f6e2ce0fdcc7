package io.dxnet.tools.bench;

/** How a node accesses memory of others: {@link io.dxnet.memory.RemoteRegion#isOneSided}. */
enum Access {
    /** It accesses none. */
    NONE("-", null),
    /** The owner's engine does, for messages. */
    CARRIED("messages", false),
    /** Hardware does, or the node itself. */
    ONE_SIDED("one-sided", true);

    private final String label;
    private final Boolean isOneSided;

    Access(String label, Boolean isOneSided) {
        this.label = label;
        this.isOneSided = isOneSided;
    }

    /** In the table. */
    String label() {
        return label;
    }

    /** In the JSON: null where there is no access. */
    Boolean isOneSided() {
        return isOneSided;
    }
}
