package io.dxnet.tools.ledger;

import io.dxnet.Disconnect;
import io.dxnet.tools.ledger.book.Findings;
import io.dxnet.tools.ledger.book.Outcome;
import io.dxnet.tools.ledger.book.Rule;
import io.dxnet.tools.ledger.book.Tally;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What all rounds found, and the table of it. */
final class Summary {
    private static final int SHOWN = 20;

    private final Tally tally = Tally.empty();
    private final Findings findings = new Findings();
    private final Map<EventKind, Long> events = new EnumMap<>(EventKind.class);
    private final List<Long> badSeeds = new ArrayList<>();
    private String levels = "";

    void add(long seed, Tally ofRound, Findings found, Map<EventKind, Long> happened) {
        tally.add(ofRound);
        findings.add(found);
        happened.forEach((kind, count) -> events.merge(kind, count, Long::sum));
        if (found.count() > 0) {
            badSeeds.add(seed);
        }
    }

    /** What this process holds before all rounds and after them. */
    void levels(Levels before, Levels after) {
        levels = before + "; then " + after;
        String growth = after.growthSince(before);
        if (!growth.isEmpty()) {
            findings.add(Rule.LEAKED, growth);
        }
    }

    boolean isClean() {
        return findings.count() == 0;
    }

    void print(PrintStream out, LedgerOptions options, int seconds, EventMode mode, long seed) {
        out.printf(
                "ledger: %s, %d nodes, %d s, events %s, seed %d%n",
                options.wire(), options.nodes(), seconds, lower(mode), seed);
        row(out, "messages sent", tally.sent());
        row(out, "  handled", tally.handled());
        row(out, "  reported by an exception", tally.told());
        for (Outcome outcome : Outcome.values()) {
            if (outcome.isTold() && tally.count(outcome) > 0) {
                row(out, "    " + lower(outcome), tally.count(outcome));
            }
        }
        row(out, "  refused by trySend", tally.count(Outcome.REFUSED));
        row(out, "  not handled, covered by an end or a rejection", tally.covered());
        row(out, "  rejected by their receivers", tally.rejected());
        row(out, "  gone with their killed sender", tally.gone());
        row(out, "  lost and not reported", tally.lost());
        row(out, "payload bytes handled", tally.bytes());
        row(out, "unreachable though healthy", tally.unreachableHealthy());
        row(out, "other reports though healthy", tally.toldHealthy());
        row(out, "whenHandled completed", tally.barriers());
        row(out, "responses that could not be sent", tally.unsent());
        row(out, "connections (each side)", tally.connections());
        for (Disconnect.Reason reason : Disconnect.Reason.values()) {
            row(out, "  ended " + lower(reason), tally.ends().getOrDefault(reason, 0L));
        }
        for (EventKind kind : EventKind.values()) {
            if (events.containsKey(kind)) {
                row(out, "events " + lower(kind), events.get(kind));
            }
        }
        if (!levels.isEmpty()) {
            out.println("  this process: " + levels);
        }
        for (Rule rule : Rule.values()) {
            if (findings.count(rule) > 0) {
                row(out, "VIOLATIONS " + rule.words(), findings.count(rule));
            }
        }
        print(findings, out);
        out.println(
                isClean()
                        ? "ledger: the books add up"
                        : "ledger: FAILED, " + findings.count() + " violations; seeds of the rounds with violations: "
                                + badSeeds);
    }

    /** Prints the first violations, and what may explain them. */
    static void print(Findings findings, PrintStream out) {
        if (findings.count() == 0) {
            return;
        }
        findings.first(SHOWN).forEach(text -> out.println("  " + text));
        List<String> notes = findings.notes();
        if (!notes.isEmpty()) {
            out.println("  calls and responses that failed, the first between healthy nodes, then others:");
            notes.forEach(text -> out.println("    " + text));
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void row(PrintStream out, String name, long value) {
        out.printf("  %-34s %,15d%n", name, value);
    }
}
