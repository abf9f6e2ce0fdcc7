package io.dxnet.softhca;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Measures the device in wall time and in processor time; on a shared machine, the latter varies
 * less. The cases: sends of 64 bytes through one queue pair in chains of 32, each chain one post of
 * receives, one post of sends and the polls of both completion queues; the poll of an empty queue;
 * a single send. Run it with {@code tools/soft-hca/measure}.
 */
@SuppressWarnings("restricted")
final class SendRate {
    private static final int CHAIN = 32;
    private static final int ROUNDS = 400_000;

    /** {@code (function, object, chain, bad) int}. */
    private static final MethodHandle POST =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    /** {@code (function, queue, limit, target) int}. */
    private static final MethodHandle POLL =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));

    private static final int CLOCK_THREAD_CPUTIME_ID = 3;

    /** {@code (clock, timespec) int}. */
    private static final MethodHandle CLOCK = Linker.nativeLinker()
            .downcallHandle(LibC.function("clock_gettime"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    private final long timespec = LibC.calloc(16);
    private final Node a = new Node("soft0");
    private final Node b = new Node("soft1");
    private final long sendCq = a.cq(256);
    private final long recvCq = b.cq(256);
    private final long srq = b.srq(256, 1);
    private final long qpA = a.qp(Ibv.IBV_QPT_RC, sendCq, a.cq(1), 0, 256, 1, 0);
    private final long qpB = b.qp(Ibv.IBV_QPT_RC, b.cq(1), recvCq, srq, 256, 1, 0);
    private final long wcs = a.memory(48 * CHAIN);
    private final long bad = a.memory(8);
    private final MemorySegment postSend = operation(qpA, 208);
    private final MemorySegment postSrqRecv = operation(qpB, 168);
    private final MemorySegment pollCq = operation(qpA, 96);

    private SendRate() {
        Node.connect(a, qpA, b, qpB);
    }

    private static MemorySegment operation(long object, int offset) {
        return MemorySegment.ofAddress(Memory.getLong(Memory.getLong(object) + offset));
    }

    /** The cost of one operation, nanoseconds. */
    private record Cost(double wallNs, double cpuNs) {
        private static Cost median(List<Cost> costs) {
            return new Cost(median(costs, Cost::wallNs), median(costs, Cost::cpuNs));
        }

        private static double median(List<Cost> costs, ToDoubleFunction<Cost> part) {
            return costs.stream()
                    .mapToDouble(part)
                    .sorted()
                    .skip(costs.size() / 2)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** One thing that is measured. */
    private interface Measurement {
        Cost run() throws Throwable;
    }

    public static void main(String[] arguments) throws Throwable {
        SendRate rate = new SendRate();
        int repeats = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        rate.print("64 B sends, chains of 32, all signaled", repeats, () -> rate.chains(1, CHAIN));
        rate.print("64 B sends, chains of 32, one signaled", repeats, () -> rate.chains(CHAIN, CHAIN));
        rate.print("64 B sends, one at a time, all steps", repeats, () -> rate.chains(1, 1));
        rate.print("poll of an empty queue", repeats, rate::emptyPolls);
        rate.b.close();
        rate.a.close();
    }

    private void print(String what, int repeats, Measurement measurement) throws Throwable {
        List<Cost> costs = new ArrayList<>();
        for (int i = 0; i < repeats; i++) {
            costs.add(measurement.run());
        }
        Cost cost = Cost.median(costs);
        System.out.printf(
                "%-40s %6.2f M/s (%.1f ns) of the wall, %6.2f M/s (%.1f ns) of the processor, median of %d%n",
                what, 1e3 / cost.wallNs, cost.wallNs, 1e3 / cost.cpuNs, cost.cpuNs, repeats);
    }

    private long cpuTimeNs() throws Throwable {
        if ((int) CLOCK.invokeExact(CLOCK_THREAD_CPUTIME_ID, timespec) != 0) {
            throw new AssertionError("clock_gettime");
        }
        return Memory.getLong(timespec) * 1_000_000_000 + Memory.getLong(timespec + 8);
    }

    /** The cost of one message. */
    private Cost chains(int signalEvery, int length) throws Throwable {
        long from = a.memory(64L * length);
        long to = b.memory(64L * length);
        int fromKey = Node.key(a.register(from, 64L * length, 0));
        int toKey = Node.key(b.register(to, 64L * length, Ibv.IBV_ACCESS_LOCAL_WRITE));
        long[] sends = new long[length];
        long[] receives = new long[length];
        for (int i = 0; i < length; i++) {
            int flags = (i + 1) % signalEvery == 0 ? Ibv.IBV_SEND_SIGNALED : 0;
            sends[i] = a.send(i, Ibv.IBV_WR_SEND, flags, from + 64L * i, 64, fromKey);
            receives[i] = b.recv(i, to + 64L * i, 64, toKey);
        }
        long send = Node.chain(sends);
        long receive = Node.chain(receives);
        int rounds = length == 1 ? ROUNDS * 8 : ROUNDS;
        long wall = System.nanoTime();
        long cpu = cpuTimeNs();
        for (int i = 0; i < rounds; i++) {
            round(send, receive, length, length / signalEvery);
        }
        double messages = (double) rounds * length;
        return new Cost((System.nanoTime() - wall) / messages, (cpuTimeNs() - cpu) / messages);
    }

    private void round(long send, long receive, int received, int sent) throws Throwable {
        if ((int) POST.invokeExact(postSrqRecv, srq, receive, bad) != 0) {
            throw new AssertionError("post_srq_recv");
        }
        if ((int) POST.invokeExact(postSend, qpA, send, bad) != 0) {
            throw new AssertionError("post_send");
        }
        if ((int) POLL.invokeExact(pollCq, recvCq, CHAIN, wcs) != received || Memory.getInt(wcs + 8) != 0) {
            throw new AssertionError("poll_cq of the receiver");
        }
        if ((int) POLL.invokeExact(pollCq, sendCq, CHAIN, wcs) != sent || Memory.getInt(wcs + 8) != 0) {
            throw new AssertionError("poll_cq of the sender");
        }
    }

    private Cost emptyPolls() throws Throwable {
        int polls = 10_000_000;
        long wall = System.nanoTime();
        long cpu = cpuTimeNs();
        for (int i = 0; i < polls; i++) {
            if ((int) POLL.invokeExact(pollCq, sendCq, CHAIN, wcs) != 0) {
                throw new AssertionError("not empty");
            }
        }
        return new Cost((double) (System.nanoTime() - wall) / polls, (double) (cpuTimeNs() - cpu) / polls);
    }
}
