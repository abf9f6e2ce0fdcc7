package io.dxnet.softhca;

import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The switches for the faults of one software device. They act on requests
 * that this device sends and on verbs that are called on it. Any thread
 * may set them at any time; {@link #clear()} resets all of them.
 *
 * <p>A request that is lost or that finds its receiver "not ready" is retried as the queue pair's
 * attributes specify. The application sees a delay, or the error that a real device would report.
 *
 * <p>On a device {@code soft@ADDRESS} the switches act on the packets that it sends, answers
 * included; {@link #receiverNotReadyNext} on what it receives.
 *
 * <p>It has more than 400 lines because each switch is documented.
 */
public final class SoftFaults {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final SoftDevice device;
    private final AtomicInteger loseNext = new AtomicInteger();
    private final AtomicInteger notReadyNext = new AtomicInteger();
    private final AtomicInteger failNext = new AtomicInteger();
    private final ConcurrentHashMap<String, Call> failingCalls = new ConcurrentHashMap<>();

    /** Guards the random numbers. */
    private final Object dice = new Object();

    private Random random = new Random(0);
    private volatile double lossRate;
    private volatile boolean loseAll;
    private volatile int failStatus;
    private volatile long delayNs;
    private volatile double delayShare;
    private volatile double duplicateShare;
    private volatile long registeredLimit = NO_LIMIT;
    private volatile boolean forgivesUnsignaled;

    /** Whether the data path has to ask: true from the first switch until {@link #clear()}. */
    private volatile boolean active;

    private record Call(int errno, AtomicInteger good, AtomicInteger left) {}

    SoftFaults(SoftDevice device) {
        this.device = device;
    }

    /**
     * Returns the switches of a device.
     *
     * @param deviceName for instance {@code soft0}
     * @return its switches, the same object at every call
     * @throws IllegalArgumentException if no software device can have this name
     */
    public static SoftFaults of(String deviceName) {
        SoftDevice device = Devices.find(Objects.requireNonNull(deviceName));
        if (device == null) {
            throw new IllegalArgumentException("no software device is called " + deviceName
                    + ": they are soft0, soft1, ..., softib0, ..., idle0, ..., soft@127.0.0.2, ...");
        }
        return device.faults();
    }

    /**
     * Loses the next requests, each attempt counted. Reliable
     * connections retry after their timeout; datagrams are gone.
     *
     * @param count how many
     */
    public void loseNext(int count) {
        loseNext.set(count);
        active = true;
    }

    /**
     * Loses a share of all attempts from now on.
     *
     * @param share from 0 (none) to 1 (all)
     * @param seed of the random numbers
     */
    public void lose(double share, long seed) {
        requireShare(share);
        roll(seed);
        lossRate = share;
        active = true;
    }

    private static void requireShare(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share " + share + " is not between 0 and 1");
        }
    }

    private void roll(long seed) {
        synchronized (dice) {
            random = new Random(seed);
        }
    }

    /**
     * Cuts or heals the device's way out: every attempt is lost, and the port does not know of it.
     *
     * @param cut whether to cut it
     */
    public void cutLink(boolean cut) {
        loseAll = cut;
        active = true;
    }

    /**
     * Delays every request that is posted from now on; they overlap, and the order stays.
     *
     * @param delay the time, zero for none
     */
    public void delay(Duration delay) {
        delay(1, delay, 0);
    }

    /**
     * Delays a share of the requests that are posted from now on;
     * those behind them wait, because the order stays.
     *
     * @param share from 0 (none) to 1 (all)
     * @param delay the time, zero for none
     * @param seed of the random numbers
     */
    public void delay(double share, Duration delay, long seed) {
        requireShare(share);
        roll(seed);
        delayShare = share;
        delayNs = delay.toNanos();
        active = true;
    }

    /**
     * Plays a fault in the words of {@code tools/rxe-testbed/fault}. The words:
     * {@code loss PERCENT}, {@code corrupt PERCENT} (what is corrupt is dropped), {@code delay MS},
     * {@code reorder PERCENT} (such requests arrive a millisecond late: a connection waits for what
     * was overtaken), {@code duplicate PERCENT} (of packets
     * on a device {@code soft@ADDRESS}; elsewhere nothing happens), {@code cut}
     * ({@link #portDown}) and {@code heal} ({@link #clear}).
     *
     * @param words the fault and its number
     * @throws IllegalArgumentException if there is no such fault
     */
    public void play(String... words) {
        String fault = String.join(" ", words);
        String number = words.length == 2 ? words[1] : "0";
        if (!fault.matches("(cut|heal)|(loss|corrupt|delay|reorder|duplicate) \\d+")) {
            throw new IllegalArgumentException("'" + fault + "' is not a fault");
        }
        double share = Integer.parseInt(number) / 100.0;
        switch (words[0]) {
            case "loss", "corrupt" -> lose(share, 1);
            case "delay" -> delay(Duration.ofMillis(Integer.parseInt(number)));
            case "reorder" -> delay(share, Duration.ofMillis(1), 1);
            case "cut" -> portDown();
            case "heal" -> clear();
            default -> duplicate(share);
        }
    }

    /** Sends a share of all packets twice. */
    private void duplicate(double share) {
        requireShare(share);
        roll(1);
        duplicateShare = share;
        active = true;
    }

    /**
     * Lets the receiver answer "not ready" to the next attempts although receives are posted.
     *
     * @param attempts how many
     */
    public void receiverNotReadyNext(int attempts) {
        notReadyNext.set(attempts);
        active = true;
    }

    /**
     * Fails the next requests with a status; the first of
     * them moves its queue pair to the error state.
     *
     * @param status a value of {@code ibv_wc_status}, not 0
     * @param count how many
     */
    public void failNextRequests(int status, int count) {
        if (status <= 0) {
            throw new IllegalArgumentException("status " + status + " is not a failure");
        }
        failStatus = status;
        failNext.set(count);
        active = true;
    }

    /**
     * Lets the next calls of a verb fail.
     *
     * @param verb its C name, for instance {@code ibv_reg_mr} (for
     *     every way to register memory) or {@code ibv_post_send}
     * @param errno the error number
     * @param count how many calls
     */
    public void failNextCalls(String verb, int errno, int count) {
        failCalls(verb, errno, 0, count);
    }

    /**
     * Lets some later calls of a verb fail.
     *
     * @param verb its C name
     * @param errno the error number
     * @param good how many calls succeed before
     * @param count how many calls fail
     */
    public void failCalls(String verb, int errno, int good, int count) {
        if (!Upcalls.canFail(verb)) {
            throw new IllegalArgumentException("calls of " + verb + " cannot be made to fail");
        }
        failingCalls.put(verb, new Call(errno, new AtomicInteger(good), new AtomicInteger(count)));
        active = true;
    }

    /**
     * Limits the memory that may be registered at a time, like {@code RLIMIT_MEMLOCK}: more fails
     * with {@code ENOMEM}, and with {@code EPERM} where the limit is 0.
     *
     * @param bytes the limit
     */
    public void limitRegisteredBytes(long bytes) {
        registeredLimit = bytes;
    }

    /**
     * Chooses when an unsignaled request leaves the send queue: by default, as the
     * specification requires, only when a later completion is polled. On a forgiving
     * device (the kernel's rxe is one) it leaves as soon as it is done.
     *
     * @param forgives whether to be forgiving
     */
    public void forgiveUnsignaled(boolean forgives) {
        forgivesUnsignaled = forgives;
    }

    /**
     * Disables the port: contexts get {@code IBV_EVENT_PORT_ERR},
     * and requests to and from the device are not answered.
     */
    public void portDown() {
        setPort(false, Ibv.IBV_EVENT_PORT_ERR);
    }

    /**
     * Enables the port: contexts get {@code IBV_EVENT_PORT_ACTIVE},
     * and requests whose time is not over are tried again.
     */
    public void portUp() {
        setPort(true, Ibv.IBV_EVENT_PORT_ACTIVE);
    }

    private void setPort(boolean up, int event) {
        try (var _ = Fabric.control()) {
            if (device.isPortUp() != up) {
                device.setPortUp(up);
                device.contexts().forEach(context -> context.raise(null, event));
                // A requester that waits for a receiver to be
                // ready has to notice that it gets no answer.
                Fabric.QUEUE_PAIRS.all(qp -> true).forEach(qp -> qp.sends().progress());
            }
        }
    }

    /**
     * Pulls the device out: contexts get {@code IBV_EVENT_DEVICE_FATAL}, all queue pairs are
     * flushed, and verbs fail with {@code EIO} but those that destroy. The device is missing from
     * the list of devices until {@link #restore()}.
     */
    public void remove() {
        try (var _ = Fabric.control()) {
            if (!device.isRemoved()) {
                device.setRemoved(true);
                device.contexts().forEach(context -> context.raise(null, Ibv.IBV_EVENT_DEVICE_FATAL));
                breakQueuePairs();
            }
        }
        Fabric.runDeferred();
    }

    /**
     * Breaks all queue pairs: each is in the error state, is
     * flushed, and its context gets {@code IBV_EVENT_QP_FATAL}.
     */
    public void failQueuePairs() {
        try (var _ = Fabric.control()) {
            breakQueuePairs();
        }
        Fabric.runDeferred();
    }

    /** Under the control lock. */
    private void breakQueuePairs() {
        Fabric.QUEUE_PAIRS.all(qp -> qp.device() == device).forEach(qp -> qp.fail(Ibv.IBV_EVENT_QP_FATAL));
    }

    /**
     * Overruns all completion queues, as if one completion more than fits had come
     * to each. They lose what comes after it, contexts get
     * {@code IBV_EVENT_CQ_ERR}, and queue pairs that use them break.
     */
    public void overrunCompletionQueues() {
        try (var _ = Fabric.control()) {
            Fabric.COMPLETION_QUEUES.all(cq -> cq.context.device() == device).forEach(SoftCompletionQueue::overrun);
        }
        Fabric.runDeferred();
    }

    /**
     * Plugs the device in again, with its port up. Contexts of
     * before stay as they are and have to be opened again.
     */
    public void restore() {
        try (var _ = Fabric.control()) {
            device.setRemoved(false);
            device.setPortUp(true);
        }
    }

    /** Puts everything back to a device without faults, plugged in and with its port up. */
    public void clear() {
        loseNext.set(0);
        notReadyNext.set(0);
        failNext.set(0);
        failingCalls.clear();
        lossRate = 0;
        loseAll = false;
        delayNs = 0;
        duplicateShare = 0;
        registeredLimit = NO_LIMIT;
        forgivesUnsignaled = false;
        active = false;
        restorePort();
    }

    private void restorePort() {
        if (device.isRemoved()) {
            restore();
        }
        portUp();
    }

    boolean active() {
        return active;
    }

    /** How long the next request is delayed. */
    long nextDelayNs() {
        return delayNs != 0 && isUnlucky(delayShare) ? delayNs : 0;
    }

    boolean forgivesUnsignaled() {
        return forgivesUnsignaled;
    }

    long registeredLimit() {
        return registeredLimit;
    }

    /** What happens to the next attempt: 0 for nothing, a status, or an {@link Outcome}. */
    int onRequest() {
        if (takeOne(failNext)) {
            return failStatus;
        }
        if (takeOne(loseNext) || loseAll || isUnlucky(lossRate)) {
            return Outcome.NO_ANSWER;
        }
        return takeOne(notReadyNext) ? Outcome.NOT_READY : Ibv.IBV_WC_SUCCESS;
    }

    /** Whether the next packet of a device on the wire is lost. */
    boolean losesPacket() {
        return takeOne(loseNext) || loseAll || isUnlucky(lossRate);
    }

    /** Whether the next packet of a device on the wire is sent twice. */
    boolean duplicatesPacket() {
        return isUnlucky(duplicateShare);
    }

    /** The status that the next request must fail with, 0 for none. */
    int nextFailure() {
        return takeOne(failNext) ? failStatus : Ibv.IBV_WC_SUCCESS;
    }

    /** Whether a receiver on the wire answers "not ready". */
    boolean isNotReady() {
        return takeOne(notReadyNext);
    }

    private boolean isUnlucky(double share) {
        if (share == 0 || share == 1) {
            return share == 1;
        }
        synchronized (dice) {
            return random.nextDouble() < share;
        }
    }

    private static boolean takeOne(AtomicInteger left) {
        return left.get() > 0 && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    /** The error number that a call must fail with, 0 for none. */
    int onCall(String verb) {
        Call call = active ? failingCalls.get(verb) : null;
        return call != null && !takeOne(call.good()) && takeOne(call.left()) ? call.errno() : 0;
    }
}
