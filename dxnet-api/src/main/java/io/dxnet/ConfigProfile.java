package io.dxnet;

/** Defaults for a purpose: of {@link DXNetConfig}'s keys that are not set. */
public enum ConfigProfile {
    /** Each key has its own default: idle threads sleep soon where not each has a core. */
    STANDARD,
    /**
     * {@link DXNetConfig#idleYieldUs()} is 60000000 and {@link DXNetConfig#idleParkAfterMs()}
     * 60000: an idle transport's thread polls for a minute before it sleeps, so that a message that
     * comes alone finds it awake. It yields between its polls, to others that need its core. Where
     * each thread has a core, all of them spin for that minute.
     */
    LATENCY
}
