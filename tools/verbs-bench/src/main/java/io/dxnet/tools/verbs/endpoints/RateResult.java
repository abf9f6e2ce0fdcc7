package io.dxnet.tools.verbs.endpoints;

import io.dxnet.tools.report.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of the message rate benchmark.
 *
 * @param category how resources were shared
 * @param threads that wrote
 * @param features that were on
 * @param runs at least one
 * @param resources of the endpoints
 */
record RateResult(
        Category category, int threads, FeatureSet features, List<MessageRate.Outcome> runs, Resources resources) {
    Span messagesPerSecond() {
        return Span.of(runs, MessageRate.Outcome::perSecond);
    }

    int wrong() {
        return runs.stream().mapToInt(MessageRate.Outcome::wrong).sum();
    }

    /** As an object for JSON. */
    Map<String, Object> toMap(boolean verified) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("benchmark", "message rate");
        o.put("category", category.label());
        o.put("threads", threads);
        o.put("features", features.toString());
        messagesPerSecond().putInto(o, "messagesPerSecond");
        o.put("messages", runs.stream().mapToLong(MessageRate.Outcome::messages).sum());
        o.put("runs", runs.size());
        o.put("wrong", verified ? wrong() : null);
        o.put("resources", resources.toMap());
        return o;
    }
}
