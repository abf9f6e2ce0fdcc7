package io.dxnet.tools.ledger.book;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The violations that were found: all are counted, the first of each rule are kept in words. Beside
 * them, notes: what explains violations and is none. Any thread.
 */
public final class Findings {
    private static final int KEPT_OF_RULE = 20;
    private static final int NOTES_KEPT = 20;

    private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);
    private final Map<Rule, List<String>> texts = new EnumMap<>(Rule.class);
    private final List<String> notes = new ArrayList<>();

    /** Nothing found. */
    public Findings() {}

    /**
     * Adds a violation.
     *
     * @param rule that was broken
     * @param text what happened
     */
    public void add(Rule rule, String text) {
        add(rule, 1, text);
    }

    /**
     * Adds violations that share one text.
     *
     * @param rule that was broken
     * @param count how often
     * @param text what happened
     */
    public synchronized void add(Rule rule, long count, String text) {
        counts.merge(rule, count, Long::sum);
        List<String> kept = texts.computeIfAbsent(rule, any -> new ArrayList<>());
        if (kept.size() < KEPT_OF_RULE) {
            kept.add(rule.words() + ": " + text);
        }
    }

    /**
     * Adds a note, unless there are many.
     *
     * @param text what happened
     */
    public synchronized void note(String text) {
        if (notes.size() < NOTES_KEPT) {
            notes.add(text);
        }
    }

    /** {@return the first notes} */
    public synchronized List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Adds all of another; its notes where it has violations.
     *
     * @param other found elsewhere
     */
    public void add(Findings other) {
        synchronized (other) {
            other.counts.forEach((rule, count) -> counts.merge(rule, count, Long::sum));
            other.texts.forEach((rule, more) -> more.stream()
                    .limit(KEPT_OF_RULE)
                    .forEach(text -> texts.computeIfAbsent(rule, any -> new ArrayList<>())
                            .add(text)));
            if (!other.counts.isEmpty()) {
                other.notes.forEach(this::note);
            }
        }
    }

    /**
     * How often a rule was broken.
     *
     * @param rule the rule
     * @return times
     */
    public synchronized long count(Rule rule) {
        return counts.getOrDefault(rule, 0L);
    }

    /** {@return the number of violations} */
    public synchronized long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The first violations, those of each rule in turn.
     *
     * @param most how many
     * @return texts
     */
    public synchronized List<String> first(int most) {
        List<String> first = new ArrayList<>();
        for (int i = 0; i < KEPT_OF_RULE && first.size() < most; i++) {
            for (List<String> of : texts.values()) {
                if (i < of.size() && first.size() < most) {
                    first.add(of.get(i));
                }
            }
        }
        return first;
    }
}
