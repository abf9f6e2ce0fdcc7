package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.softhca.SoftFaults;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.security.ConnectionKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The receive pool and the receives made of its buffers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReceiveTest {
    private static final int ENOMEM = 12;
    private static final int BUFFER = 4096;

    private Context context;
    private ProtectionDomain domain;

    @BeforeEach
    void open() {
        context = Device.named(IbNodes.DEVICE).open();
        domain = context.allocateProtectionDomain();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void shouldGiveEachBufferOnce() {
        ReceivePool pool = new ReceivePool(domain, 10, BUFFER);
        Set<Long> addresses = new HashSet<>();
        List<IncomingBuffer> out = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int index = pool.take();
            IncomingBuffer buffer = pool.handOut(index);
            assertThat(buffer.capacity()).isEqualTo(BUFFER);
            assertThat(buffer.segment().address()).isEqualTo(pool.region().address() + pool.offset(index));
            addresses.add(buffer.segment().address());
            out.add(buffer);
        }
        assertThat(addresses).hasSize(10);
        assertThat(pool.take()).isEqualTo(-1);
        assertThat(pool.isEmpty()).isTrue();
        assertThat(pool.out()).isEqualTo(10);
        out.forEach(IncomingBuffer::giveBack);
        assertThat(pool.out()).isZero();
        assertThat(pool.buffer(pool.take()))
                .as("the last one back is the first one out")
                .isSameAs(out.get(9));
    }

    @Test
    void shouldKeepAllBuffersWhenManyThreadsGiveBack() throws Exception {
        int count = 64;
        ReceivePool pool = new ReceivePool(domain, count, BUFFER);
        ConcurrentLinkedQueue<IncomingBuffer> used = new ConcurrentLinkedQueue<>();
        int rounds = 100_000;
        Thread[] givers = new Thread[3];
        boolean[] stop = new boolean[1];
        for (int t = 0; t < givers.length; t++) {
            givers[t] = Thread.ofPlatform().start(() -> {
                for (; ; ) {
                    IncomingBuffer buffer = used.poll();
                    if (buffer != null) {
                        buffer.giveBack();
                        continue;
                    }
                    synchronized (stop) {
                        if (stop[0]) {
                            return;
                        }
                    }
                    Thread.yield();
                }
            });
        }
        boolean[] here = new boolean[count]; // acquired, and not passed to the others yet
        for (int i = 0; i < rounds; ) {
            int index = pool.take();
            if (index < 0) {
                Thread.yield();
                continue;
            }
            i++;
            assertThat(here[index]).as("taken twice").isFalse();
            if (i % 3 == 0) {
                here[index] = true;
                pool.push(index);
                here[index] = false;
            } else {
                used.add(pool.handOut(index));
            }
        }
        synchronized (stop) {
            stop[0] = true;
        }
        for (Thread giver : givers) {
            giver.join();
        }
        used.forEach(IncomingBuffer::giveBack);
        assertThat(pool.out()).isZero();
        Set<Integer> all = new HashSet<>();
        for (int index = pool.take(); index >= 0; index = pool.take()) {
            assertThat(all.add(index)).as("buffer %d is there once", index).isTrue();
        }
        assertThat(all).hasSize(count);
    }

    @Test
    void shouldPostAllReceivesAndThoseThatWereUsedAgain() {
        ReceivePool pool = new ReceivePool(domain, 40, BUFFER);
        ReceiveSlots slots = new ReceiveSlots(pool, domain.createSharedReceiveQueue(16, 2), 16, 2);
        assertThat(slots.bytesMax()).isEqualTo(2 * BUFFER);
        assertThat(slots.refill(false)).isEqualTo(16);
        assertThat(slots.posted()).isEqualTo(16);
        assertThat(slots.missing()).isZero();
        assertThat(slots.refill(false)).isZero();
    }

    /** Not one that is not authentic, which would be a sign of an attack. */
    @Test
    void shouldReportNoForgedMessageWhereAnErrorInterruptsItsDecryption() {
        ReceivePool pool = new ReceivePool(domain, 2, BUFFER);
        ReceiveSlots slots = new ReceiveSlots(pool, domain.createSharedReceiveQueue(16, 2), 1, 2);
        slots.refill(false);
        slots.used(0);
        Decryption decryption = new Decryption(slots, BUFFER, Encryption.AES_GCM);
        IbConnection connection = IbNodes.unconnected();
        ReceiveCipher throwing = new ReceiveCipher(
                new GcmDirection(Cipher.DECRYPT_MODE, ConnectionKey.of(new byte[32]), "test", 1, Long.MAX_VALUE));
        int queuePair = connection.queuePairNumber();
        assertThatThrownBy(() -> decryption.decrypt(connection, throwing, queuePair, 0, 32, 0))
                .hasMessageContaining("used up");
        assertThat(decryption.decrypt(connection, throwing, queuePair, 0, 32, 0))
                .as("what follows it")
                .isEqualTo(-1);
        assertThat(decryption.describe()).contains("0 not authentic");
        assertThat(connection.failure()).as("the caller has a reason").isNull();
    }

    @Test
    void shouldPostWhatThePoolSufficesFor() {
        ReceivePool pool = new ReceivePool(domain, 7, BUFFER);
        ReceiveSlots slots = new ReceiveSlots(pool, domain.createSharedReceiveQueue(16, 2), 16, 2);
        assertThat(slots.refill(false)).isEqualTo(3);
        assertThat(slots.refill(false)).isZero();
        assertThat(pool.isEmpty()).as("the seventh waits for an eighth").isTrue();
        // One of three comes back used, with one buffer of two gone to the engine:
        // the slot on top is filled first.
        slots.used(0);
        IncomingBuffer taken = slots.take(slotWithBuffers(slots), 0);
        int before = slots.posted();
        taken.giveBack();
        slots.refill(false);
        assertThat(slots.posted()).isGreaterThan(before);
    }

    /** The slots are posted from the lowest on. */
    private static int slotWithBuffers(ReceiveSlots slots) {
        assertThat(slots.peek(0, 0)).isNotNull();
        return 0;
    }

    /**
     * Whatever the engine holds, and in whichever order receives are used: as many are posted as
     * there are buffers for. Else nothing may be posted while incomplete messages hold the rest,
     * and they never become whole.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void shouldPostAsManyAsThereAreBuffersFor(int sges) {
        int count = 16;
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            ReceivePool pool = new ReceivePool(domain, count * sges + random.nextInt(2 * sges), BUFFER);
            try (SharedReceiveQueue queue = domain.createSharedReceiveQueue(4096, sges)) {
                ReceiveSlots slots = new ReceiveSlots(pool, queue, count, sges);
                List<Integer> idle = new ArrayList<>(); // the last one is posted first
                for (int slot = count - 1; slot >= 0; slot--) {
                    idle.add(slot);
                }
                List<Integer> posted = new ArrayList<>();
                List<IncomingBuffer> out = new ArrayList<>();
                for (int round = 0; round < 200; round++) {
                    int number = slots.refill(false);
                    for (int i = 0; i < number; i++) {
                        posted.add(idle.removeLast());
                    }
                    assertThat(slots.posted())
                            .as("seed %d, round %d: %d of %d buffers are out", seed, round, out.size(), pool.count())
                            .isEqualTo(Math.min(count, (pool.count() - out.size()) / sges))
                            .isEqualTo(posted.size());
                    for (int uses = random.nextInt(posted.size() + 1); uses > 0; uses--) {
                        int slot = posted.remove(random.nextInt(posted.size()));
                        slots.used(slot);
                        idle.add(slot);
                        for (int sge = 0, taken = random.nextInt(sges + 1); sge < taken; sge++) {
                            out.add(slots.take(slot, sge));
                        }
                    }
                    assertThat(new HashSet<>(out)).as("each is out once").hasSize(out.size());
                    for (int back = random.nextInt(out.size() + 1); back > 0; back--) {
                        out.remove(random.nextInt(out.size())).giveBack();
                    }
                }
            } finally {
                pool.region().close();
            }
        }
    }

    /** As the endpoint does it: polls of at most 64, a refill after each. */
    @Test
    void shouldFollowBurstsThatAreLargerThanABatch() {
        int count = 256;
        ReceivePool pool = new ReceivePool(domain, count, BUFFER);
        try (SharedReceiveQueue queue = domain.createSharedReceiveQueue(1 << 15, 1)) {
            ReceiveSlots slots = new ReceiveSlots(pool, queue, count, 1);
            List<Integer> idle = new ArrayList<>(); // the last one is posted first
            for (int slot = count - 1; slot >= 0; slot--) {
                idle.add(slot);
            }
            List<Integer> posted = new ArrayList<>();
            post(slots, idle, posted, false);
            assertThat(posted).hasSize(ReceiveDemand.FEWEST);
            for (int left = 200; left > 0; ) {
                int batch = Math.min(64, left);
                use(slots, idle, posted, batch);
                post(slots, idle, posted, batch == 64);
                left -= batch;
            }
            assertThat(posted).hasSize(count);
            for (int i = 0; i < 2 * ReceiveDemand.PERIOD + count; i++) {
                use(slots, idle, posted, 1);
                post(slots, idle, posted, false);
            }
            assertThat(posted).hasSize(ReceiveDemand.FEWEST);
            for (int i = 0; i < 4; i++) {
                use(slots, idle, posted, 64);
                post(slots, idle, posted, true);
            }
            assertThat(new HashSet<>(posted)).as("each is posted once").hasSize(count);
        } finally {
            pool.region().close();
        }
    }

    private static void use(ReceiveSlots slots, List<Integer> idle, List<Integer> posted, int uses) {
        for (int i = 0; i < uses; i++) {
            int slot = posted.removeFirst();
            slots.used(slot);
            idle.add(slot);
        }
    }

    private static void post(ReceiveSlots slots, List<Integer> idle, List<Integer> posted, boolean isFull) {
        for (int number = slots.refill(isFull); number > 0; number--) {
            posted.add(idle.removeLast());
        }
        assertThat(slots.posted()).isEqualTo(posted.size());
        assertThat(slots.missing()).isZero();
    }

    @Test
    void shouldGoOnWhereTheDeviceCutAChain() {
        IbNodes.assumeSoftware();
        SoftFaults faults = SoftFaults.of(IbNodes.DEVICE);
        try {
            ReceivePool pool = new ReceivePool(domain, 400, BUFFER);
            // The queue has room for fewer than there are slots.
            ReceiveSlots slots = new ReceiveSlots(pool, domain.createSharedReceiveQueue(16, 2), 200, 2);
            int posted = slots.refill(false);
            assertThat(posted).isBetween(16, ReceiveDemand.FEWEST - 1);
            assertThat(slots.posted()).isEqualTo(posted);
            assertThat(slots.missing()).isEqualTo(ReceiveDemand.FEWEST - posted);
            assertThat(slots.refill(false)).isZero();
            assertThat(slots.missing()).isEqualTo(ReceiveDemand.FEWEST - posted);
            ReceiveSlots refused = new ReceiveSlots(pool, domain.createSharedReceiveQueue(16, 2), 16, 2);
            faults.failNextCalls("ibv_post_srq_recv", ENOMEM, 1);
            assertThat(refused.refill(false)).isZero();
            assertThat(refused.missing()).isEqualTo(16);
            faults.failNextCalls("ibv_post_srq_recv", 5, 1); // EIO: the device is gone
            assertThatThrownBy(() -> refused.refill(false)).isInstanceOf(io.dxnet.ibverbs.VerbsException.class);
            assertThat(refused.missing()).as("no receive is forgotten").isEqualTo(16);
            assertThat(refused.posted()).isZero();
        } finally {
            faults.clear();
        }
    }
}
