package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dxnet.DXNet;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Faults on the kernel's Soft-RoCE, with verified streams in both directions: node 0 and node 1,
 * whose link or process they happen to, and node 0 and node 2, which no fault affects. In the
 * testbed only, with three nodes at least; {@code -Ddxnet.ib.fault} is its command. Prints what it
 * measured as lines that begin with {@code figure:}.
 */
class RxeFaultsTest {
    private static final String FAULT = System.getProperty("dxnet.ib.fault");
    /** How long the long cut lasts, seconds. */
    private static final int CUT_SECONDS = Integer.getInteger("dxnet.ib.cutSeconds", 60);
    /** Attempts to connect that a cut hangs up are over after this time, and others follow. */
    private static final int CONNECT_MS = 15_000;
    /** Messages that show that a stream continues. */
    private static final int SOME = 50;

    private static final int NODES = 3;
    private static final int VICTIM = 1;
    /** The testbed's number of the node whose link is cut. */
    private static final String VICTIM_LINK = "" + (VICTIM + 1);

    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<VerifiedStream> streams = new ArrayList<>();
    private final VerifiedStream.Receiver[] receivers = new VerifiedStream.Receiver[NODES];
    private List<NodeMap> maps;
    private List<Integer> here; // the nodes of the cluster, in its order
    private Cluster cluster;
    private FaultNode child;
    private FaultNode successor;

    @BeforeEach
    void onlyInTheTestbed() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/run/rxe-testbed/guest")) && FAULT != null,
                "needs the Soft-RoCE testbed: tools/rxe-testbed/run --nodes 3 transport-ib/test rxe");
        fault("all", "heal");
        maps = TestDevice.maps(NODES);
    }

    @AfterEach
    void endAll() throws Exception {
        for (FaultNode process : new FaultNode[] {child, successor}) {
            if (process != null) {
                process.close();
            }
        }
        if (cluster != null) {
            fault("all", "heal");
            streams.forEach(VerifiedStream::close);
            cluster.close();
        }
    }

    private static void fault(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(FAULT));
        command.addAll(List.of(words));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as("%s", command)
                .isZero();
    }

    /**
     * Silence, as behind a switch. With the fault `cut`, a dead port, the VM with one processor
     * stopped answering; why was not traced.
     */
    private static void cut() throws IOException, InterruptedException {
        fault(VICTIM_LINK, "loss", "100");
    }

    private void start(Integer... nodes) {
        here = List.of(nodes);
        cluster = new Cluster(here.stream().map(maps::get).toList(), builder -> {
            FaultNode.configure(builder).connectTimeoutMs(CONNECT_MS);
            options.forEach(builder::transportOption);
            return builder;
        });
        for (int node : here) {
            receivers[node] = new VerifiedStream.Receiver(net(node), NODES);
        }
    }

    private DXNet net(int node) {
        return cluster.node(here.indexOf(node));
    }

    private Disconnect end(int node, int peer) {
        return cluster.end(here.indexOf(node), peer);
    }

    private VerifiedStream stream(DXNet from, int to) {
        VerifiedStream stream = new VerifiedStream(from, to);
        streams.add(stream);
        return stream;
    }

    /** All three nodes in this process, streams between 0 and the others in both directions. */
    private void startAll() {
        start(0, 1, 2);
        stream(net(0), 1);
        stream(net(1), 0);
        stream(net(0), 2);
        stream(net(2), 0);
        awaitProgress("before the fault", 0, 1);
        awaitProgress("before the fault", 0, 2);
    }

    private void awaitProgress(String when, int a, int b) {
        int atA = receivers[a].received(b);
        int atB = receivers[b] == null ? 0 : receivers[b].received(a);
        Cluster.await(
                "messages between node " + a + " and " + b + " " + when + "; ends: " + cluster.events + wrongs(),
                () -> receivers[a].received(b) >= atA + SOME
                        && (receivers[b] == null || receivers[b].received(a) >= atB + SOME));
    }

    private String wrongs() {
        StringBuilder text = new StringBuilder();
        for (VerifiedStream.Receiver receiver : receivers) {
            if (receiver != null && receiver.wrong() != null) {
                text.append("; ").append(receiver.wrong());
            }
        }
        return text.toString();
    }

    /** All that was sent has arrived, on connections that never ended; nothing is left behind. */
    private void assertUndisturbed(int a, int b) {
        for (int[] way : new int[][] {{a, b}, {b, a}}) {
            if (receivers[way[1]] != null) {
                assertThat(receivers[way[1]].gaps(way[0]))
                        .as("lost from %d to %d", way[0], way[1])
                        .isZero();
                assertThat(end(way[0], way[1])).isNull();
            }
        }
    }

    private void finish() {
        streams.forEach(VerifiedStream::close);
        cluster.awaitQuiet();
        assertThat(wrongs()).isEmpty();
    }

    private static void figure(String format, Object... arguments) {
        System.out.println("figure: " + String.format(format, arguments));
    }

    private static long msSince(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ns);
    }

    @Test
    void shouldLoseNothingWhenPacketsAreLostAndReordered() throws Exception {
        options.put("ib.ackTimeout", "17"); // a lost packet that no other follows waits as long
        startAll();
        // rxe counts retries for a request, not for a packet of it: with a tenth of all packets
        // reordered, six are too few for 64 KiB.
        fault("all", "loss", "1", "reorder", "1", "delay", "2");
        long beginNs = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            awaitProgress("with loss", 0, 1);
            awaitProgress("with loss", 0, 2);
        }
        long ms = msSince(beginNs);
        fault("all", "heal");
        awaitProgress("after healing", 0, 1);
        finish();
        assertEverythingArrived();
        assertUndisturbed(0, 1);
        assertUndisturbed(0, 2);
        figure(
                "1 %% loss and 1 %% reordering on every link for %d ms: %d messages received on 4 streams, 0 lost, 0 duplicated",
                ms,
                receivers[0].received(1)
                        + receivers[0].received(2)
                        + receivers[1].received(0)
                        + receivers[2].received(0));
    }

    private void assertEverythingArrived() {
        int[][] ways = {{0, 1}, {1, 0}, {0, 2}, {2, 0}};
        for (int i = 0; i < ways.length; i++) {
            int[] way = ways[i];
            VerifiedStream stream = streams.get(i);
            assertThat(stream.failed()).as("%s", stream.failure()).isZero();
            Cluster.await(
                    "everything from node " + way[0] + " at node " + way[1],
                    () -> receivers[way[1]].received(way[0]) == stream.sent() || end(way[0], way[1]) != null);
            assertThat(end(way[0], way[1]))
                    .as("the end of %d to %d", way[0], way[1])
                    .isNull();
        }
    }

    @Test
    void shouldSurviveAShortCut() throws Exception {
        // In an emulator that shares its processor, a second's cut may last ten.
        options.put("ib.ackTimeout", "21");
        options.put("ib.keepAliveMs", "60000");
        startAll();
        cut();
        long cutNs = System.nanoTime();
        TimeUnit.SECONDS.sleep(1); // the length of the fault
        fault(VICTIM_LINK, "heal");
        long cutMs = msSince(cutNs);
        awaitProgress("after healing", 0, 1);
        long silenceMs = msSince(cutNs);
        finish();
        assertEverythingArrived();
        assertUndisturbed(0, 1);
        assertUndisturbed(0, 2);
        figure(
                "link cut for %d ms with a budget of 60 s: survived, %d messages both ways %d ms after the cut, 0 lost, 0 duplicated",
                cutMs, SOME, silenceMs);
    }

    @Test
    void shouldFailInBoundedTimeAndRecoverAfterALongCut() throws Exception {
        options.put("ib.keepAliveMs", "5000"); // the defaults
        options.put("ib.ackTimeout", "17");
        startAll();
        cut();
        long cutNs = System.nanoTime();
        Cluster.await("both ends", () -> end(0, VICTIM) != null && end(VICTIM, 0) != null);
        long noticedMs = msSince(cutNs);
        Disconnect end = end(0, VICTIM);
        assertThat(end.reason()).isEqualTo(Disconnect.Reason.LOST);
        VerifiedStream toVictim = streams.getFirst();
        while (msSince(cutNs) < CUT_SECONDS * 1000L) {
            awaitProgress("while node 1 is cut off", 0, 2);
        }
        // The first send after the end opens a connection, and fails when that
        // lasts too long: maybe not yet.
        Cluster.await("a send that failed", () -> toVictim.failed() > 0);
        long cutMs = msSince(cutNs);
        int failed = toVictim.failed();
        fault(VICTIM_LINK, "heal");
        long healedNs = System.nanoTime();
        awaitProgress("after healing", 0, 1);
        long recoveredMs = msSince(healedNs);
        finish();
        assertUndisturbed(0, 2);
        int ends = (int) cluster.events.stream()
                .filter(event -> event.cause() != null && event.node() == 0 && event.peer() == VICTIM)
                .count();
        assertThat(receivers[0].gaps(VICTIM)).isLessThanOrEqualTo(ends);
        figure(
                "link cut for %d ms: both sides told after %d ms (%s); %d sends failed, the longest took %d ms; "
                        + "%d messages both ways %d ms after healing; the other connection: 0 lost, 0 duplicated",
                cutMs, noticedMs, end.detail(), failed, toVictim.longestMs(), SOME, recoveredMs);
    }

    @Test
    void shouldNoticeAKilledNodeAndTakeItsRestart() throws Exception {
        child = new FaultNode(maps.get(VICTIM));
        successor = new FaultNode(maps.get(VICTIM));
        start(0, 2);
        stream(net(0), 2).unhurried();
        stream(net(2), 0).unhurried();
        child.go();
        Cluster.await("node 1's stream", () -> receivers[0].received(VICTIM) >= SOME);
        VerifiedStream toVictim = stream(net(0), VICTIM);
        awaitProgress("before the kill", 0, VICTIM);
        child.kill();
        long killedNs = System.nanoTime();
        Cluster.await("the end", () -> end(0, VICTIM) != null);
        long noticedMs = msSince(killedNs);
        Disconnect end = end(0, VICTIM);
        Cluster.await("failing sends", () -> toVictim.failed() > 0);
        awaitProgress("while node 1 is dead", 0, 2);
        assertThat(receivers[0].gaps(VICTIM)).isZero();
        receivers[0].restarted(VICTIM);
        long startedNs = System.nanoTime();
        successor.go();
        awaitProgress("after the restart", 0, VICTIM);
        int sent = toVictim.sent();
        Cluster.await("sends to the new one", () -> toVictim.sent() > sent + SOME);
        long recoveredMs = msSince(startedNs);
        assertThat(successor.end()).isTrue();
        finish();
        assertUndisturbed(0, 2);
        figure(
                "node killed: told after %d ms (%s); both ways again %d ms after its successor's start; "
                        + "the other connection: 0 lost, 0 duplicated",
                noticedMs, end.detail(), recoveredMs);
    }

    @Test
    void shouldBearAReceiverThatStopsAndGoesOn() throws Exception {
        options.put("ib.keepAliveMs", "600000"); // longer than it is stopped
        child = new FaultNode(maps.get(VICTIM));
        start(0, 2);
        stream(net(0), 2).unhurried();
        stream(net(2), 0).unhurried();
        child.go();
        Cluster.await("node 1's stream", () -> receivers[0].received(VICTIM) >= SOME);
        VerifiedStream toVictim = stream(net(0), VICTIM);
        awaitProgress("before the stop", 0, VICTIM);
        child.signal("STOP");
        long stoppedNs = System.nanoTime();
        Cluster.await("a sender that waits", () -> {
            int sent = toVictim.sent();
            awaitProgress("while node 1 is stopped", 0, 2);
            return toVictim.sent() == sent;
        });
        long stoppedMs = msSince(stoppedNs);
        child.signal("CONT");
        awaitProgress("after it goes on", 0, VICTIM);
        int sent = toVictim.sent();
        Cluster.await("sends after it goes on", () -> toVictim.sent() > sent + SOME);
        assertThat(receivers[0].gaps(VICTIM)).isZero();
        toVictim.close();
        assertThat(child.end()).isTrue();
        finish();
        assertUndisturbed(0, 2);
        figure("receiver stopped for %d ms: its sender waited, went on with it; 0 lost, 0 duplicated", stoppedMs);
    }
}
