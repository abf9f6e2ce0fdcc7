package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.RemoteRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The owner of a region, a process, is killed with SIGKILL while threads of a peer access it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class KilledOwnerContract {
    private static final int CHILD = 1;
    private static final int BYTES = 1 << 20;
    private static final int ROUNDS = 2;

    /** For the transports' test classes. */
    protected KilledOwnerContract() {}

    /** The transport that connects the processes. */
    protected abstract String transport();

    /** An operation that is repeated until it fails. */
    private interface Operation {
        void run() throws DXNetException;
    }

    @Test
    void shouldReportWhetherEachOperationWasCarriedOut() throws Exception {
        List<String> addresses = Ports.addresses(2);
        try (Cluster cluster = new Cluster(
                List.of(Ports.map(0, addresses)),
                builder -> builder.transport(transport()).requestTimeoutMs(60_000))) {
            for (int round = 0; round < ROUNDS; round++) {
                try (ChildProcess owner = new ChildProcess(transport(), CHILD, addresses)) {
                    assertThat(owner.tell("share " + BYTES)).isEqualTo("ok");
                    RemoteRegion region = cluster.node(0).remoteMemory().attach(CHILD, "region");
                    access(region, owner);
                    assertThatThrownBy(() -> region.fetchAdd(0, 1)).isInstanceOf(RemoteMemoryException.OwnerGone.class);
                    try (ChildProcess next = new ChildProcess(transport(), CHILD, addresses)) {
                        assertThat(next.tell("share " + BYTES)).isEqualTo("ok");
                        anotherIncarnation(cluster.node(0), region);
                    }
                }
            }
            cluster.awaitQuiet();
            assertThat(cluster.failures).isEmpty();
        }
    }

    private static void access(RemoteRegion region, ChildProcess owner) throws Exception {
        MemorySegment local = Arena.ofAuto().allocate(BYTES);
        List<Operation> operations = List.of(
                () -> region.write(0, local),
                () -> region.write(64, local.asSlice(0, 64)),
                () -> region.fetchAdd(8, 1),
                () -> region.writeAndNotify(0, local.asSlice(0, 8), 1),
                () -> region.read(0, local));
        List<AtomicInteger> done = new ArrayList<>();
        List<CompletableFuture<Throwable>> ends = new ArrayList<>();
        for (Operation each : operations) {
            AtomicInteger count = new AtomicInteger();
            done.add(count);
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            ends.add(end);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> end.complete(catchThrowable(() -> {
                        for (; ; ) {
                            each.run();
                            count.incrementAndGet();
                        }
                    })));
        }
        Cluster.await("operations", () -> done.stream().allMatch(count -> count.get() > 3));
        owner.kill();
        for (int i = 0; i < ends.size(); i++) {
            boolean isRead = i == ends.size() - 1;
            assertThat(ends.get(i).get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            RemoteMemoryException.OwnerGone.class,
                            e -> assertThat(e.outcome())
                                    .isIn(
                                            isRead
                                                    ? List.of(Outcome.NOT_DONE)
                                                    : List.of(Outcome.NOT_DONE, Outcome.UNKNOWN)));
        }
    }

    /** It knows nothing of what was attached to its predecessor. */
    private static void anotherIncarnation(DXNet net, RemoteRegion before) throws DXNetException {
        Cluster.await("a connection", () -> {
            Throwable error = catchThrowable(() -> before.fetchAdd(8, 1));
            assertThat(error).isInstanceOf(RemoteMemoryException.OwnerGone.class);
            return error.getMessage().contains("incarnation");
        });
        RemoteRegion now = net.remoteMemory().attach(CHILD, "region");
        assertThat(now.fetchAdd(8, 1)).isZero();
        assertThat(now.fetchAdd(8, 1)).isEqualTo(1);
    }
}
