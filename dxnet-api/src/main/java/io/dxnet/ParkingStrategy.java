package io.dxnet;

/** What a thread does that finds nothing to do (DXNet §VII and Figure 13). */
public enum ParkingStrategy {
    /**
     * Spins, then yields, then parks until it is rung. Parks at once where the active threads
     * outnumber the cores by {@link DXNetConfig#overprovisioningFactor()} or where there are not
     * enough cores for the engine's threads; a thread that waits for the network polls for a
     * moment even then, if it had work just before: transport options {@code nio.busyUs},
     * {@code nio.yieldUs}, {@code ib.busyUs} and {@code ib.yieldUs}.
     */
    ADAPTIVE,
    /**
     * Never parks: spins for 50 microseconds, then yields. The lowest latency, for machines with a
     * core to spare for each thread.
     */
    NEVER,
    /** Parks at once; the transports' options for busy phases do not count. */
    ALWAYS
}
