package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two drivers whose verbs are functions of libc: the results show which driver was called. */
class CriticalCallsTest {
    private static final int ROUNDS = 8;
    private static final int CALLS = 100;

    private static final long[] OPERATIONS = {
        ibv_context_ops.poll_cq$offset(),
        ibv_context_ops.req_notify_cq$offset(),
        ibv_context_ops.post_srq_recv$offset(),
        ibv_context_ops.post_send$offset(),
        ibv_context_ops.post_recv$offset()
    };

    /** Nothing of it comes back into Java. */
    private static final class UserSpace implements VerbsProvider {
        @Override
        public String name() {
            return "libc";
        }

        @Override
        public boolean offers(String deviceName) {
            return false;
        }

        @Override
        public SymbolLookup symbols() {
            return Linker.nativeLinker().defaultLookup();
        }

        @Override
        public boolean upcalls() {
            return false;
        }
    }

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    /** The context of a driver whose verbs are all that one function, of an {@code int}. */
    private DataPath driver(String function) {
        VerbsProvider provider = new UserSpace();
        long address = provider.symbols().find(function).orElseThrow().address();
        long context = arena.allocate(ibv_context.layout()).address();
        for (long operation : OPERATIONS) {
            Memory.putLong(context + ibv_context.ops$offset() + operation, address);
        }
        return new DataPath(context, "libc0", provider, null);
    }

    private static int sum(DataPath driver, int argument) {
        return CriticalCalls.poll(driver.pollCq, argument, 1, 0)
                + CriticalCalls.requestNotification(driver.requestNotification, argument, 1)
                + CriticalCalls.postSend(driver.postSend, argument, 0, 0)
                + CriticalCalls.postReceive(driver.postReceive, argument, 0, 0)
                + CriticalCalls.postSharedReceive(driver.postSrqReceive, argument, 0, 0);
    }

    @Test
    @DisplayName("the driver opened first and one opened later are each called with their own functions")
    void shouldCallEachDriver() {
        DataPath first = driver("abs");
        DataPath second = driver("ffs");
        assertThat(sum(first, 8)).isEqualTo(5 * 8);
        assertThat(sum(second, 8)).isEqualTo(5 * 4);
    }

    @Test
    @DisplayName(
            "a call allocates nothing before C2 has compiled it: neither a critical one of the first driver nor a normal one")
    void shouldAllocateNothingUncompiled() throws Exception {
        DataPath driver = driver("abs");
        long before = allocatedBytes();
        long empty = allocatedBytes() - before;
        // The least of several rounds: what a call allocates, it allocates in each. A method handle
        // is tailored to its callers once, after a number of calls that depends on the compiler.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            int result = 0;
            before = allocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                result += sum(driver, 1) + normal(driver);
            }
            least = Math.min(least, allocatedBytes() - before - empty);
            assertThat(result).isEqualTo(CALLS * 10);
        }
        assertThat(least).isZero();
    }

    private static int normal(DataPath driver) {
        return driver.pollCq(1, 1, 0)
                + driver.requestNotification(1, 1)
                + driver.postSend(1, 0, 0)
                + driver.postReceive(1, 0, 0)
                + driver.postSharedReceive(1, 0, 0);
    }

    /** By reflection, so that the module need not read the management modules. */
    private static long allocatedBytes() throws Exception {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method method = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        return (long) method.invoke(bean);
    }
}
