package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Tap;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/** The service, written by hand: its messages are byte arrays. */
final class GrpcService {
    private static final String NAME = "io.dxnet.tools.compare.Messages";
    private static final byte[] EMPTY = {};
    /** Messages that a stream may bring without asking; HTTP/2's windows bound it. */
    private static final int REQUESTED = Integer.MAX_VALUE;

    /** A message, and an empty answer. */
    static final MethodDescriptor<byte[], byte[]> PUT = method("Put", MethodType.UNARY);
    /** A message, and the same as answer. */
    static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo", MethodType.UNARY);
    /** Messages, and at their end an empty answer. */
    static final MethodDescriptor<byte[], byte[]> PUT_ALL = method("PutAll", MethodType.CLIENT_STREAMING);
    /** Messages, and each of them as answer. */
    static final MethodDescriptor<byte[], byte[]> ECHO_ALL = method("EchoAll", MethodType.BIDI_STREAMING);

    private GrpcService() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(GrpcBytes.INSTANCE, GrpcBytes.INSTANCE)
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .build();
    }

    /** Counts what comes into {@code inbox}. */
    static ServerServiceDefinition counting(Inbox inbox) {
        ThreadLocal<Tap> taps = ThreadLocal.withInitial(inbox::tap); // one for each event loop
        return ServerServiceDefinition.builder(NAME)
                .addMethod(PUT, ServerCalls.asyncUnaryCall((message, answers) -> {
                    count(taps.get(), message);
                    answers.onNext(EMPTY);
                    answers.onCompleted();
                }))
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((message, answers) -> {
                    answers.onNext(message);
                    answers.onCompleted();
                }))
                .addMethod(PUT_ALL, ServerCalls.asyncClientStreamingCall(answers -> {
                    ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) answers;
                    call.disableAutoRequest();
                    call.request(REQUESTED);
                    return new Messages(answers) {
                        @Override
                        public void onNext(byte[] message) {
                            count(taps.get(), message);
                        }

                        @Override
                        public void onCompleted() {
                            answers.onNext(EMPTY);
                            answers.onCompleted();
                        }
                    };
                }))
                .addMethod(ECHO_ALL, ServerCalls.asyncBidiStreamingCall(answers -> new Messages(answers) {
                    @Override
                    public void onNext(byte[] message) {
                        answers.onNext(message);
                    }

                    @Override
                    public void onCompleted() {
                        answers.onCompleted();
                    }
                }))
                .build();
    }

    private static void count(Tap tap, byte[] message) {
        if (tap.wants(message.length)) {
            System.arraycopy(message, 0, tap.copy(), 0, message.length);
        }
        tap.received(message.length);
    }

    /** A stream that comes in. */
    private abstract static class Messages implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> answers;

        Messages(StreamObserver<byte[]> answers) {
            this.answers = answers;
        }

        @Override
        public void onError(Throwable cause) {
            answers.onError(cause);
        }
    }
}
