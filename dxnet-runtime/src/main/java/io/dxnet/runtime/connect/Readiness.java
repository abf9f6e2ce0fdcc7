package io.dxnet.runtime.connect;

/**
 * Whether other nodes may connect yet. A node listens before its application had the time
 * to register its message types, and a message of an unknown type is rejected;
 * so the first connections wait, for a moment, until the application seems to be done:
 * it sends or connects itself, or it registered something and nothing more for
 * {@link #QUIET_NS}, or {@link #LONGEST_NS} are over.
 */
public final class Readiness {
    static final long QUIET_NS = 50_000_000;
    static final long LONGEST_NS = 2_000_000_000;

    private final long startNs = System.nanoTime();
    private volatile long lastRegistrationNs = startNs; // registering threads
    private volatile boolean registered; // registering threads
    private volatile boolean ready; // any thread, once

    /** The application registered a type or a receiver. */
    public void registration() {
        lastRegistrationNs = System.nanoTime();
        registered = true;
    }

    /** The application uses the network. */
    public void use() {
        if (!ready) {
            ready = true;
        }
    }

    public boolean isReady() {
        if (!ready) {
            long now = System.nanoTime();
            ready = registered && now - lastRegistrationNs > QUIET_NS || now - startNs > LONGEST_NS;
        }
        return ready;
    }
}
