package io.dxnet.verbs.conformance;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpOptions;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsUnavailableException;
import io.dxnet.ibverbs.WcOpcode;
import io.dxnet.ibverbs.WcStatus;
import io.dxnet.ibverbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

/**
 * The device under test, opened once for a test, and the few moves that
 * all tests make with it. Closing it closes all that was made.
 */
final class Rig implements AutoCloseable {
    static final String DEVICE = System.getProperty("dxnet.verbs.device", "soft0");
    /** The device at the other end of connections; the same where none is given. */
    static final String REMOTE = System.getProperty("dxnet.verbs.remote", DEVICE);

    static final int PORT = 1;

    /** A completion, copied out of the batch. */
    record Done(long id, WcStatus status, WcOpcode opcode, long bytes, boolean hasImmediate, int immediate, int qp) {
        static Done of(WorkCompletion c) {
            return new Done(
                    c.id(), c.status(), c.opcode(), c.byteLength(), c.hasImmediate(), c.immediate(), c.qpNumber());
        }

        boolean ok() {
            return status == WcStatus.SUCCESS;
        }
    }

    /** Slow machines get more time: a VM without hardware acceleration is 10 to 30 times slower. */
    private static final long PATIENCE_MS = Long.getLong("dxnet.verbs.patienceMs", 30_000);

    private static final AtomicInteger PROCESSES = new AtomicInteger();
    private static final AtomicInteger PSN = new AtomicInteger(0x1000);

    final Context context;
    final ProtectionDomain domain;
    final GidEntry gid;
    private final WorkCompletion batch = new WorkCompletion(16);
    private Rig remote;

    private Rig(Context context) {
        this.context = context;
        this.domain = context.allocateProtectionDomain();
        this.gid = context.chooseGid(PORT);
    }

    static Rig open() {
        return new Rig(device().open());
    }

    static Rig open(String device) {
        return new Rig(device(device).open());
    }

    /**
     * The other end of this one's connections: itself, or a rig on the remote device, which is
     * closed with this one.
     */
    Rig remote() {
        if (REMOTE.equals(DEVICE)) {
            return this;
        }
        if (remote == null) {
            remote = open(REMOTE);
        }
        return remote;
    }

    /** Returns the device under test; where there is none, aborts the test with the reason. */
    static Device device() {
        return device(DEVICE);
    }

    private static Device device(String name) {
        try {
            return Device.named(name);
        } catch (VerbsUnavailableException e) {
            throw new TestAbortedException("device '" + name + "' cannot be used here: " + e.getMessage(), e);
        }
    }

    /** Aborts the test of a feature that this device does not offer, and names the feature. */
    static void only(boolean offered, String what) {
        Assumptions.assumeTrue(offered, () -> DEVICE + ": " + what);
    }

    static boolean isRxe() {
        return DEVICE.startsWith("rxe");
    }

    static boolean isSoft() {
        return DEVICE.startsWith("soft");
    }

    /** Software devices without an address are connected within a process alone. */
    static boolean isInOneProcess() {
        return isSoft() && !isOnWire();
    }

    /** A software device at an address, which sends packets. */
    static boolean isOnWire() {
        return DEVICE.startsWith("soft@");
    }

    /**
     * The device of one more process: the remote one, the same, or one at the next address, which
     * is for one process.
     */
    static String deviceOfAnotherProcess() {
        if (!REMOTE.equals(DEVICE)) {
            return REMOTE;
        }
        return isOnWire() ? deviceAfter(1 + PROCESSES.getAndIncrement()) : DEVICE;
    }

    private static String deviceAfter(int count) {
        int last = DEVICE.lastIndexOf('.') + 1;
        return DEVICE.substring(0, last) + (Integer.parseInt(DEVICE.substring(last)) + count);
    }

    /** The second device, for tests between nodes; empty where there is none. */
    static String peerDevice() {
        String fallback = "";
        if (isOnWire()) {
            fallback = deviceAfter(1);
        } else if (isSoft()) {
            fallback = DEVICE.replaceAll("[0-9]", "") + "1";
        }
        return System.getProperty("dxnet.verbs.peer", fallback);
    }

    CompletionQueue queue(int entries) {
        return context.createCompletionQueue(entries);
    }

    MemoryRegion memory(long bytes) {
        return domain.allocate(
                bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    }

    QueuePair pair(QpOptions options) {
        return domain.createQueuePair(options);
    }

    QueuePair pair(CompletionQueue send, CompletionQueue receive) {
        return pair(QueuePair.options(QpType.RC, send, receive).send(64, 4).receive(64, 4));
    }

    /** How failures show within a test's time. */
    static ConnectOptions quick() {
        return new ConnectOptions().timeout(14).retryCount(6);
    }

    /** For streams that no failure is to end, on slow machines too. */
    static ConnectOptions patient() {
        return new ConnectOptions().timeout(18).retryCount(6);
    }

    void connect(QueuePair one, QueuePair other) {
        connect(one, other, quick());
    }

    void connect(QueuePair one, QueuePair other, ConnectOptions options) {
        connect(one, this, other, this, options);
    }

    /** Connects a queue pair of this one with one of {@link #remote()}. */
    void connectRemote(QueuePair one, QueuePair other) {
        connectRemote(one, other, quick());
    }

    void connectRemote(QueuePair one, QueuePair other, ConnectOptions options) {
        connect(one, this, other, remote(), options);
    }

    static void connect(QueuePair one, Rig oneRig, QueuePair other, Rig otherRig, ConnectOptions options) {
        int onePsn = PSN.addAndGet(0x111) & 0xff_ffff;
        int otherPsn = PSN.addAndGet(0x222) & 0xff_ffff;
        QpAddress oneAddress = one.addressFor(oneRig.gid, onePsn);
        QpAddress otherAddress = other.addressFor(otherRig.gid, otherPsn);
        one.connect(oneRig.gid, onePsn, otherAddress, options);
        other.connect(otherRig.gid, otherPsn, oneAddress, options);
    }

    /**
     * Polls until {@code count} completions are there, in their order. Fails when they do not come.
     */
    List<Done> await(CompletionQueue queue, int count) {
        List<Done> done = new ArrayList<>();
        long deadline = deadline();
        while (done.size() < count) {
            take(queue, done);
            if (System.nanoTime() > deadline) {
                Assertions.fail(done.size() + " of " + count + " completions came: " + done);
            }
        }
        return done;
    }

    /** Polls once and adds the completions to {@code into}. */
    void take(CompletionQueue queue, List<Done> into) {
        int count = queue.poll(batch);
        for (int i = 0; i < count; i++) {
            into.add(Done.of(batch.at(i)));
        }
    }

    Done awaitOne(CompletionQueue queue) {
        return await(queue, 1).getFirst();
    }

    /** A completion that must be a success. */
    Done awaitSuccess(CompletionQueue queue) {
        Done done = awaitOne(queue);
        Assertions.assertEquals(WcStatus.SUCCESS, done.status(), done::toString);
        return done;
    }

    static long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    }

    static int patienceMs() {
        return (int) PATIENCE_MS;
    }

    /**
     * Fills memory with bytes that differ by place and by
     * seed, so that misplaced bytes fail the check.
     */
    static void fill(MemorySegment memory, long offset, long length, int seed) {
        for (long i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, pattern(seed, i));
        }
    }

    static byte pattern(int seed, long index) {
        long x = (index + 1) * 0x9E3779B97F4A7C15L + seed * 0xBF58476D1CE4E5B9L;
        return (byte) (x >>> 40);
    }

    /** Every byte, from {@code patternStart} of the pattern. */
    static void check(MemorySegment memory, long offset, long length, int seed, long patternStart) {
        for (long i = 0; i < length; i++) {
            byte expected = pattern(seed, patternStart + i);
            byte actual = memory.get(ValueLayout.JAVA_BYTE, offset + i);
            if (expected != actual) {
                Assertions.fail(
                        "byte " + i + " of " + length + " at " + offset + " is " + actual + ", not " + expected);
            }
        }
    }

    static void check(MemorySegment memory, long offset, long length, int seed) {
        check(memory, offset, length, seed, 0);
    }

    /** Bytes that nothing may have touched. */
    static void checkUntouched(MemorySegment memory, long offset, long length) {
        for (long i = 0; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + i) != UNTOUCHED) {
                Assertions.fail("byte " + (offset + i) + " was written");
            }
        }
    }

    static final byte UNTOUCHED = 0x5a;

    static void untouch(MemoryRegion region) {
        region.memory().fill(UNTOUCHED);
    }

    @Override
    public void close() {
        if (remote != null) {
            remote.close();
        }
        context.close();
    }
}
