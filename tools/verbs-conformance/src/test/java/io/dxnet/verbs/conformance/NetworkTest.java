package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.AsyncEventType;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WcStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Between nodes: {@code -Ddxnet.verbs.peer} names a
 * second device that the first reaches over a link.
 */
@Timeout(400)
class NetworkTest {
    private static final String PEER = Rig.peerDevice();
    private static final int SIZE = 64;
    private static final int WINDOW = 32;

    private static Rig peer() {
        Rig.only(!PEER.isEmpty(), "no second device is given (-Ddxnet.verbs.peer)");
        return Rig.open(PEER);
    }

    /**
     * One direction of a connection between two nodes: a stream of numbered messages, each checked.
     */
    private static final class Stream {
        final Rig from;
        final Rig to;
        final CompletionQueue sendQueue;
        final CompletionQueue receiveQueue;
        final SharedReceiveQueue shared;
        final QueuePair sender;
        final QueuePair receiver;
        final MemoryRegion source;
        final MemoryRegion target;
        int sent;
        int completed;
        int received;
        WcStatus failure;

        Stream(Rig from, Rig to, ConnectOptions options) {
            this.from = from;
            this.to = to;
            sendQueue = from.queue(2 * WINDOW);
            receiveQueue = to.queue(2 * WINDOW);
            CompletionQueue unused = from.queue(1);
            CompletionQueue unusedPeer = to.queue(1);
            shared = to.domain.createSharedReceiveQueue(2 * WINDOW, 1);
            sender = from.pair(QueuePair.options(QpType.RC, sendQueue, unused).send(WINDOW, 1));
            receiver = to.pair(
                    QueuePair.options(QpType.RC, unusedPeer, receiveQueue).shared(shared));
            source = from.memory(WINDOW * SIZE);
            target = to.memory(2 * WINDOW * SIZE);
            Rig.connect(sender, from, receiver, to, options);
            for (int i = 0; i < 2 * WINDOW; i++) {
                receive(i);
            }
        }

        private void receive(long slot) {
            assertThat(shared.post(new ReceiveChain(1, 1).receive(slot).sge(target, slot * SIZE, SIZE)))
                    .isEqualTo(1);
        }

        /**
         * Sends while there is room, and checks what arrived;
         * returns false once the connection has failed.
         */
        boolean step(int limit) {
            if (sent < limit && sent - completed < WINDOW) {
                long offset = (long) sent % WINDOW * SIZE;
                Rig.fill(source.memory(), offset, SIZE, sent);
                sender.postSend(new SendChain(1, 1)
                        .sendImmediate(sent, sent)
                        .sge(source, offset, SIZE)
                        .signaled());
                sent++;
            }
            List<Rig.Done> done = new ArrayList<>();
            from.take(sendQueue, done);
            for (Rig.Done each : done) {
                if (each.ok()) {
                    completed++;
                } else if (failure == null) {
                    failure = each.status();
                }
            }
            done.clear();
            to.take(receiveQueue, done);
            for (Rig.Done each : done) {
                assertThat(each.status()).isEqualTo(WcStatus.SUCCESS);
                assertThat(each.immediate()).isEqualTo(received);
                assertThat(each.bytes()).isEqualTo(SIZE);
                Rig.check(target.memory(), each.id() * SIZE, SIZE, received);
                received++;
                receive(each.id());
            }
            return failure == null;
        }

        void run(int limit) {
            long deadline = System.nanoTime() + 300_000_000_000L;
            while (completed < limit || received < limit) {
                assertThat(step(limit))
                        .describedAs("%s after %d messages", failure, completed)
                        .isTrue();
                assertThat(System.nanoTime())
                        .describedAs("%d of %d", received, limit)
                        .isLessThan(deadline);
            }
        }
    }

    @Test
    @DisplayName("39: eight nodes, each connected with each, all data exact")
    void shouldConnectAllToAll() {
        int nodes = 8;
        List<Rig> rigs = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                rigs.add(i % 2 == 1 && !PEER.isEmpty() ? Rig.open(PEER) : Rig.open());
            }
            List<Stream> streams = new ArrayList<>();
            for (Rig from : rigs) {
                for (Rig to : rigs) {
                    if (from != to) {
                        streams.add(new Stream(from, to, Rig.quick()));
                    }
                }
            }
            int limit = 40;
            long deadline = System.nanoTime() + 300_000_000_000L;
            while (streams.stream().anyMatch(s -> s.received < limit || s.completed < limit)) {
                for (Stream stream : streams) {
                    assertThat(stream.step(limit)).isTrue();
                }
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        } finally {
            rigs.forEach(Rig::close);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loss 1", "loss 10", "delay 20", "reorder 25", "duplicate 10", "corrupt 5"})
    @DisplayName("36: a bad link changes nothing but the time")
    void shouldDeliverExactlyOverBadLink(String trouble) throws Exception {
        LinkFaults link = LinkFaults.here();
        try (Rig one = Rig.open();
                Rig other = peer()) {
            Stream stream = new Stream(one, other, Rig.quick());
            stream.run(100);
            try {
                link.apply(trouble.split(" "));
                stream.run(2000);
            } finally {
                link.apply("heal");
            }
            stream.run(2100);
        }
    }

    @Test
    @DisplayName("37: silence shorter than the retries is survived")
    void shouldSurviveShortSilence() throws Exception {
        LinkFaults link = LinkFaults.here();
        try (Rig one = Rig.open();
                Rig other = peer()) {
            Stream stream =
                    new Stream(one, other, new ConnectOptions().timeout(19).retryCount(6));
            stream.run(100);
            link.apply("loss", "100");
            for (int i = 0; i < WINDOW; i++) {
                stream.step(1000);
            }
            int before = stream.received;
            assertThat(before).isLessThan(1000);
            link.apply("heal");
            stream.run(1000);
        }
    }

    @Test
    @DisplayName("37: silence longer than the retries ends the connection with RETRY_EXC_ERR")
    void shouldEndAfterLongSilence() throws Exception {
        LinkFaults link = LinkFaults.here();
        try (Rig one = Rig.open();
                Rig other = peer()) {
            Stream stream = new Stream(one, other, Rig.quick());
            stream.run(100);
            link.apply("loss", "100");
            try {
                long deadline = Rig.deadline();
                while (stream.step(Integer.MAX_VALUE)) {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                }
                assertThat(stream.failure).isEqualTo(WcStatus.RETRY_EXC_ERR);
            } finally {
                link.apply("heal");
            }
        }
    }

    @Test
    @DisplayName("34: a pulled cable and a plugged one are reported as PORT_ERR and PORT_ACTIVE")
    void shouldReportPortEvents() throws Exception {
        LinkFaults link = LinkFaults.here();
        try (Rig rig = Rig.open()) {
            Set<AsyncEventType> seen = EnumSet.noneOf(AsyncEventType.class);
            link.apply("cut");
            try {
                awaitEvent(rig, seen, AsyncEventType.PORT_ERR);
            } finally {
                link.apply("heal");
            }
            awaitEvent(rig, seen, AsyncEventType.PORT_ACTIVE);
        }
    }

    private static void awaitEvent(Rig rig, Set<AsyncEventType> seen, AsyncEventType type) {
        long deadline = Rig.deadline();
        while (!seen.contains(type)) {
            assertThat(System.nanoTime()).describedAs("only %s", seen).isLessThan(deadline);
            rig.context.asyncEvents().await(1000).ifPresent(event -> {
                seen.add(event.type());
                if (event.type() == type) {
                    assertThat(event.port()).isEqualTo(Rig.PORT);
                }
            });
        }
    }
}
