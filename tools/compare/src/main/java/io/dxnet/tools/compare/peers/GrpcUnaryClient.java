package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A call for each message. */
final class GrpcUnaryClient implements PeerClient {
    /** Calls of one thread without answer. */
    static final int WINDOW = 100;

    private static final long LOOK_AGAIN_MS = 100;
    private static final long PATIENCE_SECONDS = 10;

    private final ManagedChannel channel;

    GrpcUnaryClient(ManagedChannel channel) {
        this.channel = channel;
    }

    @Override
    public Sender sender(int thread) {
        return new Calls();
    }

    /** The calls of a thread. */
    private final class Calls implements Sender, StreamObserver<byte[]> {
        private final Semaphore window = new Semaphore(WINDOW);
        private volatile Throwable failure;

        @Override
        public boolean send(byte[] payload) throws Exception {
            check();
            if (!window.tryAcquire(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)) {
                return false;
            }
            // A copy, because the array is read later, on the event loop.
            ClientCalls.asyncUnaryCall(channel.newCall(GrpcService.PUT, CallOptions.DEFAULT), payload.clone(), this);
            return true;
        }

        private void check() throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
        }

        @Override
        public void close() throws IOException {
            Patience.on(() -> window.tryAcquire(WINDOW, PATIENCE_SECONDS, TimeUnit.SECONDS));
            check();
        }

        @Override
        public void onNext(byte[] answer) {
            // it is empty
        }

        @Override
        public void onError(Throwable cause) {
            failure = cause;
            window.release();
        }

        @Override
        public void onCompleted() {
            window.release();
        }
    }

    @Override
    public void pingPong(PingPong loop) {
        CallOptions options = CallOptions.DEFAULT;
        while (loop.next()) {
            byte[] answer = ClientCalls.blockingUnaryCall(
                    channel,
                    GrpcService.ECHO,
                    options.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
                    loop.payload());
            if (loop.wants(answer.length)) {
                System.arraycopy(answer, 0, loop.copy(), 0, answer.length);
            }
            loop.answered(answer.length);
        }
    }

    @Override
    public void close() throws IOException {
        GrpcPeer.close(channel);
    }
}
