package io.dxnet.tools.verbs.endpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everything that is printed, written and drawn. Filled by one thread. */
final class EndpointsReport {
    private final Map<String, Object> environment;
    private final boolean verified;
    private final List<RateResult> rates = new ArrayList<>();
    private final List<KernelResult> kernels = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    EndpointsReport(Map<String, Object> environment, boolean verified) {
        this.environment = environment;
        this.verified = verified;
    }

    void add(RateResult result) {
        rates.add(result);
    }

    void add(KernelResult result) {
        kernels.add(result);
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

    boolean verified() {
        return verified;
    }

    List<RateResult> rates() {
        return rates;
    }

    List<KernelResult> kernels() {
        return kernels;
    }

    List<String> notes() {
        return notes;
    }

    List<FeatureSet> features() {
        return rates.stream().map(RateResult::features).distinct().toList();
    }

    List<Category> categories() {
        return rates.stream().map(RateResult::category).distinct().toList();
    }

    /** Those of a category and a feature set, by threads. */
    List<RateResult> rates(Category category, FeatureSet features) {
        return rates.stream()
                .filter(each -> each.category() == category && each.features() == features)
                .toList();
    }

    long wrong() {
        return rates.stream().mapToLong(RateResult::wrong).sum()
                + kernels.stream().mapToLong(KernelResult::wrong).sum();
    }

    boolean isEmpty() {
        return rates.isEmpty() && kernels.isEmpty();
    }

    List<Map<String, Object>> toList() {
        List<Map<String, Object>> list = new ArrayList<>();
        rates.forEach(each -> list.add(each.toMap(verified)));
        kernels.forEach(each -> list.add(each.toMap()));
        return list;
    }
}
