package io.dxnet.tools.ledger.book;

import io.dxnet.Disconnect;
import java.util.EnumMap;
import java.util.Map;

/** What a check counted. One thread. */
public final class Tally {
    private static final Outcome[] OUTCOMES = Outcome.values();

    private final Map<Disconnect.Reason, Long> ends = new EnumMap<>(Disconnect.Reason.class);
    private final long[] outcomes = new long[OUTCOMES.length];
    long handled;
    long bytes;
    long covered;
    long rejected;
    long gone;
    long lost;
    long unreachableHealthy;
    long toldHealthy;
    long connections;
    long barriers;
    long unsent;

    Tally() {}

    void outcome(Outcome outcome) {
        outcomes[outcome.ordinal()]++;
    }

    void end(Disconnect.Reason reason) {
        ends.merge(reason, 1L, Long::sum);
    }

    /** {@return all messages that a thread tried to send} */
    public long sent() {
        long sum = 0;
        for (long each : outcomes) {
            sum += each;
        }
        return sum;
    }

    /** {@return messages that were handled} */
    public long handled() {
        return handled;
    }

    /** {@return messages whose sender got an exception} */
    public long told() {
        long sum = 0;
        for (Outcome outcome : OUTCOMES) {
            sum += outcome.isTold() ? outcomes[outcome.ordinal()] : 0;
        }
        return sum;
    }

    /**
     * Counts messages by outcome.
     *
     * @param outcome of the call
     * @return messages
     */
    public long count(Outcome outcome) {
        return outcomes[outcome.ordinal()];
    }

    /** {@return payload bytes of handled messages} */
    public long bytes() {
        return bytes;
    }

    /** {@return messages that their receivers reported as rejected} */
    public long rejected() {
        return rejected;
    }

    /**
     * {@return messages that were not handled and that an end's
     * unconfirmed bytes, or a rejection, cover}
     */
    public long covered() {
        return covered;
    }

    /** {@return messages whose sender was killed before it could learn of them} */
    public long gone() {
        return gone;
    }

    /** {@return messages that were neither handled nor reported} */
    public long lost() {
        return lost;
    }

    /** {@return sends that failed as unreachable though both nodes were healthy} */
    public long unreachableHealthy() {
        return unreachableHealthy;
    }

    /** {@return other failures, and ends with unconfirmed bytes, though both nodes were healthy} */
    public long toldHealthy() {
        return toldHealthy;
    }

    /** {@return connections made, each end counted} */
    public long connections() {
        return connections;
    }

    /** {@return calls of {@code whenHandled} that completed normally} */
    public long barriers() {
        return barriers;
    }

    /** {@return responses that callbacks could not send} */
    public long unsent() {
        return unsent;
    }

    /** {@return ends of connections by their reason, each side counted} */
    public Map<Disconnect.Reason, Long> ends() {
        return ends;
    }

    /**
     * Adds all of another.
     *
     * @param other of another round
     */
    public void add(Tally other) {
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
        }
        other.ends.forEach((reason, count) -> ends.merge(reason, count, Long::sum));
        handled += other.handled;
        bytes += other.bytes;
        covered += other.covered;
        rejected += other.rejected;
        gone += other.gone;
        lost += other.lost;
        unreachableHealthy += other.unreachableHealthy;
        toldHealthy += other.toldHealthy;
        connections += other.connections;
        barriers += other.barriers;
        unsent += other.unsent;
    }

    /** {@return all zero} */
    public static Tally empty() {
        return new Tally();
    }
}
