package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WcStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another process on the same device that dies or exits. */
@Timeout(400)
class PeerTest {
    @BeforeEach
    void needsProcesses() {
        Rig.device();
        Rig.only(!Rig.isInOneProcess(), "the software device lives in one process");
        boolean isShared = Rig.REMOTE.equals(Rig.DEVICE) || !Rig.REMOTE.startsWith("soft");
        Rig.only(isShared, "its peers are two processes, and the remote device is for one");
    }

    /** A connection to a process that receives all that is sent. */
    private static final class Connection implements AutoCloseable {
        final Rig rig = Rig.open();
        final CompletionQueue queue = rig.queue(256);
        final QueuePair pair =
                rig.pair(QueuePair.options(QpType.RC, queue, queue).send(64, 1));
        final MemoryRegion memory = rig.memory(4096);
        final Process process;
        final BufferedReader in;
        final PrintStream out;
        int posted;
        int done;

        Connection() throws IOException {
            process = new ProcessBuilder(Peer.java(Peer.class))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            in = process.inputReader(StandardCharsets.US_ASCII);
            out = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
            out.println(Peer.line(pair.addressFor(rig.gid, 5)));
            pair.connect(rig.gid, 5, Peer.parse(in.readLine()), Rig.quick());
            assertThat(in.readLine()).isEqualTo("READY");
        }

        void send() {
            pair.postSend(new SendChain(1, 1).send(posted++).sge(memory, 0, 64).signaled());
        }

        /** As {@code kill -9}; {@code Process} itself would also close the streams on this side. */
        void kill() {
            assertThat(process.toHandle().destroyForcibly()).isTrue();
        }

        /** Streams until {@code count} have arrived. */
        void stream(int count) {
            long deadline = Rig.deadline();
            List<Rig.Done> completions = new ArrayList<>();
            while (completions.size() < count) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                if (posted - done - completions.size() < 32) {
                    send();
                }
                rig.take(queue, completions);
            }
            assertThat(completions).allMatch(Rig.Done::ok);
            done += completions.size();
        }

        /**
         * Sends until a send fails with a status of a dead peer. Then all that is under way must
         * end, flushed and in order, each request once.
         */
        void endsInFailure() {
            long deadline = Rig.deadline();
            List<Rig.Done> completions = new ArrayList<>();
            while (completions.stream().allMatch(Rig.Done::ok)) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                if (posted - done - completions.size() < 16) {
                    send();
                }
                rig.take(queue, completions);
            }
            completions.addAll(rig.await(queue, posted - done - completions.size()));
            WcStatus first = null;
            for (Rig.Done each : completions) {
                assertThat(each.id()).isEqualTo(done++);
                if (first != null) {
                    assertThat(each.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
                } else if (!each.ok()) {
                    first = each.status();
                }
            }
            assertThat(first).isIn(WcStatus.RETRY_EXC_ERR, WcStatus.REM_OP_ERR, WcStatus.WR_FLUSH_ERR);
            assertThat(queue.poll(new io.dxnet.ibverbs.WorkCompletion(1))).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            rig.close();
        }
    }

    @Test
    @DisplayName(
            "21: a peer killed while data streams to it is reported once, all that was posted ends, others live on")
    void shouldReportKilledPeer() throws Exception {
        try (Connection victim = new Connection();
                Connection bystander = new Connection()) {
            victim.stream(200);
            victim.kill();
            victim.endsInFailure();
            assertThat(victim.process.waitFor(Rig.patienceMs(), TimeUnit.MILLISECONDS))
                    .isTrue();
            bystander.stream(100);
        }
    }

    @Test
    @DisplayName(
            "22: an idle connection does not report a killed peer; the control channel ends at once, the next send fails")
    void shouldNoticeIdlePeerByControlChannel() throws Exception {
        try (Connection connection = new Connection()) {
            connection.stream(10);
            List<Rig.Done> rest = connection.rig.await(connection.queue, connection.posted - connection.done);
            connection.done += rest.size();
            connection.kill();
            assertThat(connection.in.readLine()).isNull();
            assertThat(connection.process.waitFor(Rig.patienceMs(), TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(connection.queue.poll(new io.dxnet.ibverbs.WorkCompletion(1)))
                    .isZero();
            connection.endsInFailure();
        }
    }

    @Test
    @DisplayName("50: a JVM that exits without closing is a dead peer, and the device serves the next one")
    void shouldFreeAllAtExit() throws Exception {
        for (int round = 0; round < 2; round++) {
            try (Connection connection = new Connection()) {
                connection.stream(50);
                connection.out.println("exit");
                assertThat(connection.process.waitFor(Rig.patienceMs(), TimeUnit.MILLISECONDS))
                        .isTrue();
                assertThat(connection.process.exitValue()).isZero();
                connection.endsInFailure();
            }
        }
    }
}
