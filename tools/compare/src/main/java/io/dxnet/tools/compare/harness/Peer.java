package io.dxnet.tools.compare.harness;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A system that is compared. Its server side and its client side run in a
 * process each; a round opens both, works, and closes both.
 */
public interface Peer {
    /**
     * What it is.
     *
     * @return for the report
     */
    PeerInfo info();

    /**
     * Why it can't run on this machine. Called in a process
     * with {@link #javaFlags} and {@link #environment}.
     *
     * @return the reason, or nothing
     */
    default Optional<String> unavailabilityCause() {
        return Optional.empty();
    }

    /**
     * What the peer found on this machine, for instance a library. Called in the same process as
     * {@link #unavailabilityCause}, where that returned nothing.
     *
     * @return part of a sentence, or nothing
     */
    default String onThisMachine() {
        return "";
    }

    /**
     * Whether one Java process has both sides: because nothing leaves it, or because it only starts
     * programs that are the sides.
     *
     * @return false where a Java process on each side crosses a socket or shared memory
     */
    default boolean inOneProcess() {
        return false;
    }

    /**
     * Flags that its processes need, beside those that all have.
     *
     * @return for the java command
     */
    default List<String> javaFlags() {
        return List.of();
    }

    /**
     * Environment variables that its processes need.
     *
     * @return by name
     */
    default Map<String, String> environment() {
        return Map.of();
    }

    /**
     * Opens the receiving side.
     *
     * @param workload what will come; with round trips it echoes
     * @param inbox gets the messages that come one way
     * @return listens already
     * @throws Exception when it can't
     */
    PeerServer serve(Workload workload, Inbox inbox) throws Exception;

    /**
     * Opens the sending side.
     *
     * @param workload what will be sent
     * @param address of the server side
     * @return connected
     * @throws Exception when it can't
     */
    PeerClient connect(Workload workload, String address) throws Exception;
}
