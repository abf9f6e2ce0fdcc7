package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.Workload;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** gRPC: a call for each message (unary), or a stream of messages for each thread. */
final class GrpcPeer implements Peer {
    private static final long CLOSE_SECONDS = 5;

    private final boolean streaming;

    GrpcPeer(boolean streaming) {
        this.streaming = streaming;
    }

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                streaming ? "grpc-stream" : "grpc-unary",
                streaming ? "gRPC streaming" : "gRPC unary",
                Versions.of("grpc"),
                "TCP",
                streaming,
                "one channel (HTTP/2, plain text, shaded Netty) shared by all threads, directExecutor on both sides, payload arrays "
                        + "instead of protobuf messages; "
                        + (streaming
                                ? "a client stream for each thread that sends while isReady(); round trips: a bidirectional stream whose "
                                        + "observer sends the next, without a waiting application thread"
                                : "asynchronous calls, at most " + GrpcUnaryClient.WINDOW
                                        + " of each thread without answer; round trips: the blocking stub"),
                "https://grpc.io/docs/guides/performance/ https://grpc.io/docs/guides/flow-control/ "
                        + "https://grpc.github.io/grpc-java/javadoc/io/grpc/ServerBuilder.html#directExecutor()",
                streaming
                        ? "connections made on demand by node id, answers that belong to one message of a stream"
                        : "connections made on demand by node id, messages without an answer, order of messages",
                "TLS, authentication, deadlines and cancellation across services, clients in many languages, schemas");
    }

    @Override
    public List<String> javaFlags() {
        return NettyFlags.GRPC;
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .addService(GrpcService.counting(inbox))
                .build()
                .start();
        return new Served(server, Integer.toString(server.getPort()));
    }

    @Override
    public PeerClient connect(Workload workload, String address) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)))
                .usePlaintext()
                .directExecutor()
                .build();
        return streaming ? new GrpcStreamClient(channel) : new GrpcUnaryClient(channel);
    }

    static void close(ManagedChannel channel) throws IOException {
        channel.shutdown();
        if (!Patience.on(() -> channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS))) {
            channel.shutdownNow();
        }
    }

    private record Served(Server server, String address) implements PeerServer {
        @Override
        public void close() throws IOException {
            server.shutdownNow();
            Patience.on(() -> server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS));
        }
    }
}
