package io.dxnet.ibverbs;

import java.util.Objects;

/**
 * Configures a reliable connection, with defaults under which a dead peer is noticed. The answer to
 * a packet may take 67 ms; after six repetitions, about half a second, the send fails with
 * {@link WcStatus#RETRY_EXC_ERR}. Not thread-safe.
 */
public final class ConnectOptions {
    private static final int DEFAULT_TIMEOUT = 14;
    private static final int MAX_RETRY_COUNT = 6;
    private static final int DEFAULT_RNR_RETRY = 7;
    private static final int DEFAULT_MIN_RNR_TIMER = 12;
    private static final int DEFAULT_READ_ATOMIC = 16;

    Mtu mtu;
    int timeout = DEFAULT_TIMEOUT;
    int retryCount = MAX_RETRY_COUNT;
    int rnrRetry = DEFAULT_RNR_RETRY;
    int minRnrTimer = DEFAULT_MIN_RNR_TIMER;
    int maxReadAtomic = DEFAULT_READ_ATOMIC;
    int serviceLevel;
    int trafficClass;
    Access[] access = {Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};

    /** Starts with the defaults. */
    public ConnectOptions() {}

    /**
     * Sets the packet size; default is the port's active one. Both sides must use the same.
     *
     * @param newMtu the packet size
     * @return this
     */
    public ConnectOptions mtu(Mtu newMtu) {
        mtu = newMtu;
        return this;
    }

    /**
     * Sets the longest wait for an answer; default 14, 67 ms.
     *
     * @param code 4.096 µs · 2^code, from 1 to 31
     * @return this
     */
    public ConnectOptions timeout(int code) {
        timeout = 1 + Objects.checkIndex(code - 1, 31);
        return this;
    }

    /**
     * Sets how often a packet without answer is repeated; default 6.
     *
     * @param count 0 to 6. 7 is refused: it means "for ever"
     *     to rxe, and a dead peer would never be noticed.
     * @return this
     */
    public ConnectOptions retryCount(int count) {
        if (count < 0 || count > MAX_RETRY_COUNT) {
            throw new IllegalArgumentException("retryCount is 0 to 6, not " + count + " (rxe repeats for ever at 7)");
        }
        retryCount = count;
        return this;
    }

    /**
     * Sets how often a send that finds no receive is repeated; default 7, for
     * ever: the receiver's slowness is back-pressure, not an error.
     *
     * @param count 0 to 7
     * @return this
     */
    public ConnectOptions rnrRetry(int count) {
        rnrRetry = Objects.checkIndex(count, 8);
        return this;
    }

    /**
     * Sets how long the other side waits after finding no receive here; default 12, 0.64 ms.
     *
     * @param code see {@link QpAttributes#minRnrTimer(int)}
     * @return this
     */
    public ConnectOptions minRnrTimer(int code) {
        minRnrTimer = Objects.checkIndex(code, 32);
        return this;
    }

    /**
     * Sets how many reads and atomics may be under way; default 16, or the device's maximum where
     * that is less. Both sides should use the same.
     *
     * @param count the number
     * @return this
     */
    public ConnectOptions maxReadAtomic(int count) {
        maxReadAtomic = Objects.checkIndex(count, 256);
        return this;
    }

    /**
     * Sets what the other side may do with memory; default all that the regions allow.
     *
     * @param newAccess remote accesses
     * @return this
     */
    public ConnectOptions access(Access... newAccess) {
        access = newAccess.clone();
        return this;
    }

    /**
     * Sets the service level; default 0.
     *
     * @param level 0 to 15
     * @return this
     */
    public ConnectOptions serviceLevel(int level) {
        serviceLevel = Objects.checkIndex(level, 16);
        return this;
    }

    /**
     * Sets the traffic class, on RoCE v2 DSCP and ECN; default 0.
     *
     * @param newTrafficClass 0 to 255
     * @return this
     */
    public ConnectOptions trafficClass(int newTrafficClass) {
        trafficClass = Objects.checkIndex(newTrafficClass, 256);
        return this;
    }
}
