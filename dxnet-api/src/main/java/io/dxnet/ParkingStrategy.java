package io.dxnet;

/** What a thread does that finds nothing to do (DXNet §VII and Figure 13). */
public enum ParkingStrategy {
    /**
     * Spins, yields, then parks until it is signalled. Where each thread has a core it spins for
     * {@link DXNetConfig#idleParkAfterMs()}. Elsewhere, or where the active threads outnumber the
     * cores by {@link DXNetConfig#overprovisioningFactor()}, a transport's thread spins after work
     * for {@link DXNetConfig#idleSpinUs()}, yields for {@link DXNetConfig#idleYieldUs()} and then
     * sleeps; the other threads park at once.
     */
    ADAPTIVE,
    /**
     * Never parks: spins for 50 microseconds, then yields. The lowest latency, for machines with a
     * core to spare for each thread.
     */
    NEVER,
    /** Parks at once. */
    ALWAYS
}
