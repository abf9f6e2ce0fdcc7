package io.dxnet;

/** Defaults for a purpose: of {@link DXNetConfig}'s keys that are not set. */
public enum ConfigProfile {
    /** Each key has its own default: idle threads sleep soon where not each has a core. */
    STANDARD,
    /**
     * {@link DXNetConfig#idleSpinUs()} is 60000000 and {@link DXNetConfig#idleParkAfterMs()} 60000:
     * an idle transport's thread spins for a minute before it sleeps, so that a message that comes
     * alone finds it awake; where each thread has a core, the others too. Each thread that spins
     * needs a core of its own.
     */
    LATENCY
}
