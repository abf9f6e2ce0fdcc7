package io.dxnet.tools.ycsb;

import java.util.List;

/** What read the records of a measured number of threads. */
enum GetPath {
    /** Message handlers of the storage node, for requests. */
    MESSAGES("messages"),
    /** Hardware or the client, in memory of the storage node. */
    ONE_SIDED("memory (one-sided)"),
    /** The engine of the storage node, in its memory: not one-sided. */
    CARRIED("memory (carried)");

    private final String text;

    GetPath(String text) {
        this.text = text;
    }

    static GetPath of(Gets gets, List<StoreClient> clients) {
        if (gets == Gets.MESSAGES) {
            return MESSAGES;
        }
        return clients.stream().allMatch(StoreClient::isOneSided) ? ONE_SIDED : CARRIED;
    }

    @Override
    public String toString() {
        return text;
    }
}
