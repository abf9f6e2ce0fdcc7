package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A stream of messages for each thread. */
final class GrpcStreamClient implements PeerClient {
    private static final long LOOK_AGAIN_MS = 10;
    private static final long PATIENCE_SECONDS = 10;

    private final ManagedChannel channel;

    GrpcStreamClient(ManagedChannel channel) {
        this.channel = channel;
    }

    @Override
    public Sender sender(int thread) {
        Stream stream = new Stream();
        ClientCalls.asyncClientStreamingCall(channel.newCall(GrpcService.PUT_ALL, CallOptions.DEFAULT), stream);
        return stream;
    }

    /** What observes a call's answers, and knows the call. */
    private abstract static class Call implements ClientResponseObserver<byte[], byte[]> {
        final CompletableFuture<Void> ended = new CompletableFuture<>();
        ClientCallStreamObserver<byte[]> requests;

        @Override
        public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
            requests = stream;
        }

        @Override
        public void onError(Throwable cause) {
            ended.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            ended.complete(null);
        }
    }

    /** One way. */
    private static final class Stream extends Call implements Sender {
        @Override
        public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
            super.beforeStart(stream);
            stream.setOnReadyHandler(() -> {
                synchronized (this) {
                    notifyAll();
                }
            });
        }

        @Override
        public boolean send(byte[] payload) throws Exception {
            if (!requests.isReady()) {
                awaitReady();
                return false;
            }
            requests.onNext(payload); // copied before it returns
            return true;
        }

        private synchronized void awaitReady() throws Exception {
            if (ended.isDone()) {
                ended.get();
            }
            if (!requests.isReady()) {
                wait(LOOK_AGAIN_MS);
            }
        }

        @Override
        public void close() throws IOException {
            requests.onCompleted();
            try {
                ended.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            } catch (CompletionException e) {
                throw new IOException(e.getCause());
            }
        }

        @Override
        public void onNext(byte[] answer) {
            // the only one, empty, at the end
        }
    }

    /** Back and forth: each answer sends the next message. */
    private static final class Trips extends Call {
        private final PingPong loop;

        Trips(PingPong loop) {
            this.loop = loop;
        }

        void next() {
            if (loop.next()) {
                requests.onNext(loop.payload());
            } else {
                requests.onCompleted();
            }
        }

        @Override
        public void onNext(byte[] answer) {
            if (loop.wants(answer.length)) {
                System.arraycopy(answer, 0, loop.copy(), 0, answer.length);
            }
            loop.answered(answer.length);
            next();
        }
    }

    @Override
    public void pingPong(PingPong loop) throws Exception {
        Trips trips = new Trips(loop);
        ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcService.ECHO_ALL, CallOptions.DEFAULT), trips);
        trips.next();
        trips.ended.get(loop.secondsMax(), TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        GrpcPeer.close(channel);
    }
}
