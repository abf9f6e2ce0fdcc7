package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In the steady state nothing is allocated, neither per message nor per read and write. */
@Timeout(60)
class NioAllocationTest {
    private static final int ROUNDS = 5000;

    @Test
    void shouldAllocateNothingPerRoundTrip() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            FakeConnection ab = a.connect(b);
            FakeConnection ba = b.connect(a);
            assertThat(FakeConnection.await(ab.ready)).isTrue();
            long sent = 0;
            for (int i = 0; i < 4; i++) { // until it is compiled
                sent = pingPong(a, ab, b, ba, sent);
            }
            long before = a.allocatedBytes() + b.allocatedBytes() + own();
            pingPong(a, ab, b, ba, sent);
            long perRound = (a.allocatedBytes() + b.allocatedBytes() + own() - before) / ROUNDS;
            assertThat(perRound)
                    .as("bytes allocated per round trip, by all threads")
                    .isLessThanOrEqualTo(1);
        }
    }

    private static long own() throws Exception {
        return allocatedBytes(Thread.currentThread());
    }

    private static long pingPong(FakeNode a, FakeConnection ab, FakeNode b, FakeConnection ba, long start)
            throws InterruptedException {
        long sent = start;
        for (int i = 0; i < ROUNDS; i++) {
            sent += 64;
            ab.trySend(64);
            a.transport().dataPosted(ab);
            await(ba, sent);
            ba.trySend(64);
            b.transport().sendNow(ba);
            await(ab, sent);
        }
        return sent;
    }

    /**
     * Leaves the processor to the selector agents, and ends when the time is
     * up, so that the nodes are closed.
     */
    private static void await(FakeConnection connection, long bytes) throws InterruptedException {
        while (connection.received() < bytes) {
            if (Thread.interrupted()) {
                throw new InterruptedException(connection.received() + " of " + bytes + " bytes received");
            }
            Thread.yield();
        }
    }

    /** By reflection, so that the module under test need not read the management modules. */
    static long allocatedBytes(Thread thread) throws Exception {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method method =
                Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
        return (long) method.invoke(bean, thread.threadId());
    }
}
