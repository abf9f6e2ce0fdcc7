package io.dxnet.tools.compare.peers;

import io.dxnet.SecurityMode;
import io.dxnet.tools.compare.harness.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
                new JucxPeer(true),
                new OpenMpiPeer(false),
                new OpenMpiPeer(true),
                new MpjPeer());
    }

    /**
     * The floor, and DXNet and Netty in each mode of security; plain DXNet is first.
     *
     * @param keys of the secured ones' processes
     * @return in the order of the report
     */
    public static List<Peer> secured(SecurityKeys keys) {
        return List.of(
                new FloorPeer(),
                DxnetPeer.tcp(),
                DxnetPeer.secured(SecurityMode.KEY, keys),
                DxnetPeer.secured(SecurityMode.TLS, keys),
                new NettyPeer(),
                NettyPeer.withTls(keys, NettyPeer.Batching.ALL),
                NettyPeer.withTls(keys, NettyPeer.Batching.FLUSH),
                NettyPeer.withTls(keys, NettyPeer.Batching.NOTHING));
    }

    /**
     * The floor, and remote memory of DXNet and of UCX, which is read and written.
     *
     * @return in the order of the report
     */
    public static List<Peer> memory() {
        List<Peer> peers = new ArrayList<>(List.of(new FloorPeer()));
        for (MemoryPeer.Operation each : MemoryPeer.Operation.values()) {
            peers.add(new DxnetMemoryPeer(DxnetPeer.tcp(), each));
            peers.add(new DxnetMemoryPeer(DxnetPeer.sharedMemory(), each));
            peers.add(new DxnetMemoryPeer(DxnetPeer.softwareRdma(), each));
            peers.add(new JucxMemoryPeer(new JucxPeer(false), each));
            peers.add(new JucxMemoryPeer(new JucxPeer(true), each));
        }
        return List.copyOf(peers);
    }

    /**
     * One of them, also a secured one, which finds its keys among its process's system properties,
     * and remote memory.
     *
     * @param name as in {@link io.dxnet.tools.compare.harness.PeerInfo#name}
     * @return the peer
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Peer named(String name) {
        return Stream.of(all(), secured(SecurityKeys.NONE), memory())
                .flatMap(List::stream)
                .filter(peer -> peer.info().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no peer '" + name + "'; there are: "
                        + String.join(
                                ", ",
                                all().stream().map(peer -> peer.info().name()).toList())));
    }
}
