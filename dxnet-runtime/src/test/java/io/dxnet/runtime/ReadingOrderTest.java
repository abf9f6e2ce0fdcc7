package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext.Directions;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which of a node's connections the engine accepts received data of. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadingOrderTest {
    private static final int PEER = 1;
    private static final long RUN = 7;

    private final MessagingEngine engine = engine();

    private static MessagingEngine engine() {
        DXNetConfig config = DXNetConfig.builder()
                .transport("loopback")
                .clusterName("reading")
                .closeTimeoutMs(600_000) // no end of these tests is over by itself
                .build();
        MessagingEngine engine = new MessagingEngine(config, new NodeMap(0), new LoopbackTransportProvider(), "test");
        engine.start(true);
        return engine;
    }

    @AfterEach
    void close() {
        engine.connections().close();
        engine.close();
    }

    private PeerConnection opened(long run, Directions directions) throws RefusedException {
        PeerConnection connection = engine.incoming(PEER, run, null);
        engine.incomingReady(connection, directions);
        return connection;
    }

    /** A byte of a header, so that nothing is handled. */
    private boolean offer(PeerConnection connection) {
        IncomingBuffer buffer = engine.pool().takeAny(1);
        buffer.length(1);
        boolean isAccepted = engine.offer(connection, buffer);
        if (!isAccepted) {
            buffer.giveBack();
        }
        assertThat(connection.isReadingRefused()).isEqualTo(!isAccepted);
        return isAccepted;
    }

    @Test
    void shouldAcceptDataOfASuccessorAfterTheHandover() throws Exception {
        PeerConnection first = opened(RUN, Directions.INCOMING);
        engine.disconnectNode(PEER);
        PeerConnection second = opened(RUN, Directions.INCOMING);
        assertThat(offer(second)).as("the first may bring messages").isFalse();
        assertThat(offer(first)).isTrue();
        assertThat(offer(second)).isFalse();
        engine.connections().handoverReached(first);
        assertThat(offer(second)).isTrue();
    }

    @Test
    void shouldAcceptDataOfASuccessorAfterTheEnd() throws Exception {
        PeerConnection first = opened(RUN, Directions.INCOMING);
        engine.disconnectNode(PEER);
        PeerConnection second = opened(RUN, Directions.INCOMING);
        assertThat(offer(second)).isFalse();
        engine.connections().lost(first, Disconnect.Reason.LOST, "test");
        assertThat(offer(second)).isTrue();
    }

    /** What is left of an earlier run has no order. */
    @Test
    void shouldAcceptDataOfALaterRunAtOnce() throws Exception {
        opened(RUN, Directions.INCOMING);
        engine.disconnectNode(PEER);
        assertThat(offer(opened(RUN + 1, Directions.INCOMING))).isTrue();
    }

    /** Where both directions open at once, the order of the openings is not that of the streams. */
    @Test
    void shouldAcceptDataAtOnceWhereBothDirectionsWereOpenedAtOnce() throws Exception {
        opened(RUN, Directions.BOTH);
        engine.disconnectNode(PEER);
        assertThat(offer(opened(RUN, Directions.BOTH))).isTrue();
    }
}
