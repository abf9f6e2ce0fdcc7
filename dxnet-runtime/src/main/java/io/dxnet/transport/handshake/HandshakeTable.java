package io.dxnet.transport.handshake;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes of an acceptor that are not done. Adding one, removing one and finding the next
 * one that times out need constant time, so ten thousand silent strangers cost as little as one.
 *
 * <p>When there are too many, the oldest one of the address that has most of them is dropped,
 * so strangers at some addresses do not keep out nodes at others. A handshake whose hello
 * was good is dropped last. The acceptor's thread only.
 */
final class HandshakeTable {
    /** All of them have the same time, so the first one is also the next one that times out. */
    private final LinkedHashSet<PassiveHandshake> all = new LinkedHashSet<>();

    /** Those whose hello was not good so far, by where they came from. */
    private final Map<InetAddress, LinkedHashSet<PassiveHandshake>> strangers = new LinkedHashMap<>();

    /** Those whose hello was good, and that wait for the end of another connection. */
    private final LinkedHashSet<PassiveHandshake> waiting = new LinkedHashSet<>();

    void add(PassiveHandshake handshake) {
        all.add(handshake);
        settle(handshake);
    }

    /** Puts a handshake where it belongs after a step: call it after each one. */
    void settle(PassiveHandshake handshake) {
        if (handshake.done()) {
            all.remove(handshake);
            waiting.remove(handshake);
            removeStranger(handshake);
        } else if (handshake.waiting()) {
            waiting.add(handshake);
            removeStranger(handshake);
        } else {
            waiting.remove(handshake);
            strangers
                    .computeIfAbsent(handshake.source(), source -> new LinkedHashSet<>())
                    .add(handshake);
        }
    }

    private void removeStranger(PassiveHandshake handshake) {
        LinkedHashSet<PassiveHandshake> group = strangers.get(handshake.source());
        if (group != null && group.remove(handshake) && group.isEmpty()) {
            strangers.remove(handshake.source());
        }
    }

    int size() {
        return all.size();
    }

    boolean isAnyWaiting() {
        return !waiting.isEmpty();
    }

    /** {@return the one that times out next; null: there is none} */
    @Nullable
    PassiveHandshake oldest() {
        return all.isEmpty() ? null : all.getFirst();
    }

    /** {@return how many of an address there are whose hello was not good so far} */
    int strangers(InetAddress source) {
        LinkedHashSet<PassiveHandshake> group = strangers.get(source);
        return group == null ? 0 : group.size();
    }

    /** {@return the oldest of those; null: there is none} */
    @Nullable
    PassiveHandshake oldest(InetAddress source) {
        LinkedHashSet<PassiveHandshake> group = strangers.get(source);
        return group == null ? null : group.getFirst();
    }

    /**
     * {@return the one to drop when there are too many; null: there is none}
     * Visits each address once.
     */
    @Nullable
    PassiveHandshake victim() {
        LinkedHashSet<PassiveHandshake> most = null;
        for (LinkedHashSet<PassiveHandshake> group : strangers.values()) {
            if (most == null || group.size() > most.size()) {
                most = group;
            }
        }
        if (most != null) {
            return most.getFirst();
        }
        return waiting.isEmpty() ? null : waiting.getFirst();
    }

    /** A copy of those that wait: steps may change the table. */
    List<PassiveHandshake> waiting() {
        return waiting.isEmpty() ? List.of() : new ArrayList<>(waiting);
    }

    /** A copy of all. */
    List<PassiveHandshake> all() {
        return new ArrayList<>(all);
    }
}
