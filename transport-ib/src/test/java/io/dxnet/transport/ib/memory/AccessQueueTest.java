package io.dxnet.transport.ib.memory;

import static io.dxnet.transport.ib.memory.MemoryPair.ALL;
import static io.dxnet.transport.ib.memory.MemoryPair.NONE;
import static io.dxnet.transport.ib.memory.MemoryPair.OTHER;
import static io.dxnet.transport.ib.memory.MemoryPair.OWNER;
import static io.dxnet.transport.ib.memory.TestOperation.fetchAdd;
import static io.dxnet.transport.ib.memory.TestOperation.read;
import static io.dxnet.transport.ib.memory.TestOperation.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.ib.MemoryDevices;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of an operation whose local memory is closed while its thread posts it, and of
 * those that are complete at their deadline.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AccessQueueTest {
    private static final int MIB = 1 << 20;
    private static final int LARGE = 3 * MIB; // several pieces
    private static final int COMPLETE = 72; // more than twice what a poll processes
    private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(2 * LARGE, 8);
    private MemoryPair pair;
    private MemoryDevice device;
    private LocalRegions regions;
    private AccessQueue queue;

    @BeforeEach
    void open() throws Exception {
        pair = new MemoryPair();
        device = MemoryDevices.open(OTHER, MemoryPair.ACK_TIMEOUT);
        ProtectionDomain domain = device.context().allocateProtectionDomain();
        regions = new LocalRegions(domain);
        queue = new AccessQueue(device, domain, regions, device.context().createCompletionChannel(), OWNER);
        ExposedMemory exposed = pair.owner.expose(memory, NONE);
        byte[] request = queue.pair().request().encode();
        queue.open(AccessReply.decode(exposed.grant(OTHER, ALL, request).reply()));
    }

    @AfterEach
    void close() {
        queue.close();
        regions.close();
        pair.close();
        device.context().close();
        arena.close();
    }

    private static TestOperation move(boolean isWrite, Arena owner) {
        MemorySegment local = owner.allocate(LARGE).fill((byte) 1);
        return isWrite ? write(LARGE, local) : read(LARGE, local);
    }

    private Work begin(TestOperation operation) {
        Work work = queue.works().begin(operation, null);
        assertThat(queue.prepare(work, true)).isTrue();
        return work;
    }

    private void post(TestOperation... operations) {
        for (TestOperation each : operations) {
            Work work = begin(each);
            while (!work.isPosted()) {
                assertThat(queue.append(work)).isTrue();
            }
            end(work);
        }
    }

    private void end(Work work) {
        queue.posted(work);
        queue.postingEnds(work);
    }

    /** The device has carried out the piece, whose completion is not processed. */
    private void awaitBytes(TestOperation moved, long last) {
        MemorySegment local = moved.local();
        Cluster.await(
                "the bytes are there",
                () -> local.get(ValueLayout.JAVA_BYTE, last) == memory.get(ValueLayout.JAVA_BYTE, LARGE + last));
    }

    private void complete() {
        queue.postChain();
        Cluster.await("all is complete", () -> {
            queue.process();
            return !queue.isBusy();
        });
        report();
    }

    private void report() {
        Work ended = queue.works().nextEnded(null);
        while (ended != null) {
            ended.report();
            ended = queue.works().nextEnded(ended);
        }
    }

    private void checkLater() {
        MemorySegment local = arena.allocate(20_000);
        for (int i = 0; i < 200; i++) {
            MemorySegment back = arena.allocate(8, 8);
            TestOperation[] each = {fetchAdd(0, 1), write(LARGE, local.asSlice(0, 8 + i * 99L)), read(0, back)};
            post(each);
            complete();
            assertThat(each[0].get()).isEqualTo(1 + i);
            assertThat(each[1].isDone()).isTrue();
            assertThat(each[2].isDone()).isTrue();
            assertThat(back.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(2 + i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPostNothingOfMemoryThatIsClosedBeforeTheFirstPiece(boolean isWrite) {
        TestOperation add = fetchAdd(0, 1);
        Arena closing = Arena.ofShared();
        TestOperation failed = move(isWrite, closing);
        post(add);
        complete();
        Work work = begin(failed);
        closing.close();
        assertThat(queue.append(work)).isTrue();
        assertThat(queue.isBusy()).isFalse();
        end(work);
        assertThat(work.isEnded()).isTrue();
        complete();
        assertThat(add.get()).isZero();
        assertThat(failed.cause()).isEqualTo(Cause.LOCAL);
        assertThat(failed.outcome()).isEqualTo(Outcome.NOT_DONE);
        checkLater();
        assertThat(add.completions() + failed.completions()).isEqualTo(2);
    }

    /** The registration is in use until the first piece is complete. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPostNoMorePiecesOfMemoryThatIsClosed(boolean isWrite) {
        TestOperation add = fetchAdd(0, 1);
        Arena closing = Arena.ofShared();
        TestOperation failed = move(isWrite, closing);
        post(add);
        Work work = begin(failed);
        MemoryRegion region = work.lease().region();
        assertThat(queue.append(work)).isTrue();
        assertThat(work.isPosted()).isFalse();
        queue.postChain();
        awaitBytes(failed, work.posted() - 1);
        closing.close();
        assertThat(queue.append(work)).isTrue();
        assertThat(work.isPosted()).isTrue();
        end(work);
        assertThat(work.isEnded()).isFalse();
        assertThat(region.isClosed()).isFalse();
        complete();
        assertThat(region.isClosed()).isTrue();
        assertThat(add.get()).isZero();
        assertThat(failed.cause()).isEqualTo(Cause.LOCAL);
        assertThat(failed.outcome()).isEqualTo(Outcome.UNKNOWN);
        checkLater();
        assertThat(add.completions() + failed.completions()).isEqualTo(2);
    }

    /** More than a poll processes at once. */
    @Test
    void shouldNotFailAsLateWhatIsComplete() {
        TestOperation[] added = new TestOperation[COMPLETE + 8];
        for (int i = 0; i < added.length; i++) {
            added[i] = fetchAdd(0, 1);
            post(added[i]);
            queue.postChain(); // each with a completion
        }
        Cluster.await(
                "all are carried out, the first ones complete",
                () -> (long) COUNTER.getVolatile(memory, 0L) == added.length);
        long late = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * TestOperation.LONG_MS);
        queue.expire(late, late, true);
        report();
        for (int i = 0; i < COMPLETE; i++) {
            assertThat(added[i].get()).isEqualTo(i);
        }
        assertThat(added).allMatch(each -> each.completions() == 1);
    }
}
