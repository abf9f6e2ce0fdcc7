package io.dxnet.tools.compare.harness;

/**
 * What a peer is and how it runs here.
 *
 * @param role in the comparison
 * @param name on the command line
 * @param title in tables
 * @param version of the library
 * @param crosses what carries the bytes between the processes
 * @param ordered whether messages of one thread come in their order
 * @param configuration how it is configured
 * @param source the page of its documentation that recommends this configuration
 * @param lacks what it does not do that DXNet does
 * @param adds what it does that DXNet does not
 */
public record PeerInfo(
        Role role,
        String name,
        String title,
        String version,
        String crosses,
        boolean ordered,
        String configuration,
        String source,
        String lacks,
        String adds) {

    /** What the comparison wants of it. */
    public enum Role {
        /** The limit of what it runs on: no messages, just bytes. */
        FLOOR,
        /** What the peers are compared with. */
        DXNET,
        /** A peer. */
        PEER
    }
}
