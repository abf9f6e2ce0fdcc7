package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Memory of the server that the client accesses, beside the messages of the same library. */
abstract class MemoryPeer implements Peer {
    /** What the client does with the memory. */
    enum Operation {
        /** It reads. */
        READ("read"),
        /** It writes, and waits until the bytes are in the server's memory. */
        WRITE("write");

        final String label;

        Operation(String label) {
            this.label = label;
        }
    }

    final Operation operation;
    private final Peer carrier;

    /**
     * Memory by a library.
     *
     * @param carrier its messages
     * @param operation of the client
     */
    MemoryPeer(Peer carrier, Operation operation) {
        this.carrier = carrier;
        this.operation = operation;
    }

    /** How the memory is accessed, for the report. */
    abstract String configuration();

    @Override
    public final PeerInfo info() {
        PeerInfo of = carrier.info();
        return new PeerInfo(
                of.role(),
                of.name() + "-" + operation.label,
                of.title() + " " + operation.label,
                of.version(),
                of.crosses() + ", " + operation.label,
                true,
                configuration(),
                of.source(),
                of.role() == PeerInfo.Role.DXNET
                        ? "-"
                        : "regions by name, rights for each peer, revocation, notifications, records with a version",
                of.role() == PeerInfo.Role.DXNET ? "-" : "memory of GPUs, other sizes of atomics");
    }

    @Override
    public final Optional<String> unavailabilityCause() {
        return carrier.unavailabilityCause();
    }

    @Override
    public final String onThisMachine() {
        return carrier.onThisMachine();
    }

    @Override
    public final boolean inOneProcess() {
        return carrier.inOneProcess();
    }

    @Override
    public final List<String> javaFlags() {
        return carrier.javaFlags();
    }

    @Override
    public final Map<String, String> environment() {
        return carrier.environment();
    }
}
