package io.dxnet.tools.bench;

import io.dxnet.MessageType;
import io.dxnet.RequestType;
import java.lang.invoke.MethodHandles;

/**
 * The record of {@code --api records}.
 *
 * @param payload copied into an array of its own when received
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record Sample(byte[] payload) {
    /** Of the throughput patterns. */
    static final MessageType<Sample> STREAM = MessageType.of(Types.SAMPLE, Sample.class, MethodHandles.lookup());
    /** Of the round-trip patterns. */
    static final RequestType<Sample, Sample> ECHO =
            RequestType.of(Types.SAMPLE_ECHO, Sample.class, Sample.class, MethodHandles.lookup());
}
