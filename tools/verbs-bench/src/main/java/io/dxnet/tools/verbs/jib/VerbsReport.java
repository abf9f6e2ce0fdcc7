package io.dxnet.tools.verbs.jib;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that is printed, written and drawn. Filled by one thread. */
final class VerbsReport {
    private final Map<String, Object> environment;
    private final boolean verified;
    private final Map<Case, CaseResult> results = new LinkedHashMap<>();
    private final Map<Case, PerftestResult> references = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    VerbsReport(Map<String, Object> environment, boolean verified) {
        this.environment = environment;
        this.verified = verified;
    }

    void add(CaseResult result) {
        results.put(result.point(), result);
    }

    void add(Case point, PerftestResult reference) {
        references.put(point, reference);
    }

    /** Something that could not be measured, and why; each once. */
    void note(String note) {
        if (!notes.contains(note)) {
            notes.add(note);
        }
    }

    Map<String, Object> environment() {
        return environment;
    }

    String deviceName() {
        return environment.get("device") instanceof Map<?, ?> device ? String.valueOf(device.get("name")) : "?";
    }

    boolean verified() {
        return verified;
    }

    List<String> notes() {
        return notes;
    }

    /** The result of a case, or null. */
    CaseResult result(Case point) {
        return results.get(point);
    }

    /** The C reference of a case, or null. */
    PerftestResult reference(Case point) {
        return references.get(point);
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    List<Pattern> patterns() {
        return results.keySet().stream().map(Case::pattern).distinct().sorted().toList();
    }

    List<Transfer> transfers(Pattern pattern) {
        return results.keySet().stream()
                .filter(each -> each.pattern() == pattern)
                .map(Case::transfer)
                .distinct()
                .sorted()
                .toList();
    }

    List<Integer> sizes() {
        return results.keySet().stream().map(Case::size).distinct().sorted().toList();
    }

    boolean hasReferences(Pattern pattern, Transfer transfer) {
        return references.keySet().stream().anyMatch(each -> each.pattern() == pattern && each.transfer() == transfer);
    }

    long corrupt() {
        return results.values().stream().mapToLong(CaseResult::corrupt).sum();
    }

    long checked() {
        return results.values().stream().mapToLong(CaseResult::checked).sum();
    }

    List<Map<String, Object>> toList() {
        return results.values().stream()
                .map(result -> result.toMap(reference(result.point()), verified))
                .toList();
    }
}
