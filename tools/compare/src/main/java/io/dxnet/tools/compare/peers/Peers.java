package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Peer;
import java.util.List;

/** All systems that are compared. */
public final class Peers {
    private Peers() {}

    /**
     * The floor, DXNet, and the peers.
     *
     * @return in the order of the report
     */
    public static List<Peer> all() {
        return List.of(
                new FloorPeer(),
                DxnetPeer.tcp(),
                DxnetPeer.sharedMemory(),
                DxnetPeer.rdma(),
                DxnetPeer.softwareRdma(),
                new NettyPeer(),
                new AeronPeer(false),
                new AeronPeer(true),
                new GrpcPeer(false),
                new GrpcPeer(true),
                new JeroMqPeer(),
                new JucxPeer(false),
                new JucxPeer(true));
    }

    /**
     * One of them.
     *
     * @param name as in {@link io.dxnet.tools.compare.harness.PeerInfo#name}
     * @return the peer
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Peer named(String name) {
        return all().stream()
                .filter(peer -> peer.info().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no peer '" + name + "'; there are: "
                        + String.join(
                                ", ",
                                all().stream().map(peer -> peer.info().name()).toList())));
    }
}
