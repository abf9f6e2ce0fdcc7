package io.dxnet.tools.compare.peers;

import io.dxnet.SecurityMode;
import io.dxnet.tools.compare.harness.Peer;
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
                NettyPeer.withTls(keys, true),
                NettyPeer.withTls(keys, false));
    }

    /**
     * One of them, also a secured one, which finds its keys among its process's system properties.
     *
     * @param name as in {@link io.dxnet.tools.compare.harness.PeerInfo#name}
     * @return the peer
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Peer named(String name) {
        return Stream.concat(all().stream(), secured(SecurityKeys.NONE).stream())
                .filter(peer -> peer.info().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no peer '" + name + "'; there are: "
                        + String.join(
                                ", ",
                                all().stream().map(peer -> peer.info().name()).toList())));
    }
}
