package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.report.Rtt;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;

/**
 * Measures cases, as the client. It finds how many messages fit into the time of a run, which also
 * warms up both ends, then does the runs. One thread.
 */
final class Suite {
    private static final long TIME_MAX_NS = 60_000_000_000L;
    private static final long WARM_UP_NS = 300_000_000;
    private static final int GROWTH_MAX = 16;
    /**
     * The search for the number of messages ends with a
     * run that lasts this part of the time of a run.
     */
    private static final int CALIBRATION_PART = 4;

    private final Control control;
    private final Session session;
    private final Plan plan;
    private final EndOptions end;

    /**
     * What is to be done in a case.
     *
     * @param runs measured runs
     * @param runNs time of a run, as far as possible
     * @param messages of a run, or 0: as many as fit
     * @param verify whether every byte is checked
     */
    record Plan(int runs, long runNs, long messages, boolean verify) {}

    Suite(Control control, Session session, EndOptions end, Plan plan) {
        this.control = control;
        this.session = session;
        this.end = end;
        this.plan = plan;
    }

    /**
     * Runs a case for a while without result: the first
     * ones of a pattern shall not be the compiler's.
     */
    void warmUp(Case point) {
        if (plan.messages() == 0) {
            long end = System.nanoTime() + WARM_UP_NS;
            long messages = calibrate(point);
            while (System.nanoTime() < end) {
                run(point, messages);
            }
        }
    }

    CaseResult measure(Case point) {
        long messages = plan.messages() != 0 ? plan.messages() : calibrate(point);
        CaseResult.Run[] runs = new CaseResult.Run[plan.runs()];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = run(point, messages);
        }
        PortCounters wire = null;
        long wireMessages = 0;
        if (point.pattern() == Pattern.PING_PONG) {
            PortCounters before = PortCounters.read(end.port());
            run(point, messages);
            wire = PortCounters.read(end.port()).since(before);
            wireMessages = 2 * messages;
        }
        return new CaseResult(point, List.of(runs), wire, wireMessages);
    }

    private long calibrate(Case point) {
        long messages = 1;
        while (true) {
            long nanos = Math.max(1, run(point, messages).outcome().nanos());
            double fit = (double) messages * plan.runNs() / nanos;
            if (nanos >= plan.runNs() / CALIBRATION_PART) {
                return Math.max(1, Math.round(fit));
            }
            messages = (long)
                    Math.ceil(Math.clamp(fit / CALIBRATION_PART * 1.1, 2.0 * messages, (double) GROWTH_MAX * messages));
        }
    }

    private CaseResult.Run run(Case point, long messages) {
        RunSpec spec = new RunSpec(point, messages, ThreadLocalRandom.current().nextLong(), plan.verify());
        DataEnd data = session.data(point.transfer());
        data.prepare(spec, true);
        control.send(Control.Command.RUN);
        Control.io(() -> {
            spec.write(control.out());
            control.out().flush();
            return null;
        });
        control.await();
        Histogram times = point.pattern().isLatency() ? new Histogram(TIME_MAX_NS, 3) : null;
        Outcome own = data.run(times);
        control.signal();
        Outcome other = Control.io(() -> Outcome.read(control.in()));
        // The other end's time counts only where both ends send: it may have begun and ended later.
        Outcome whole = new Outcome(
                point.pattern() == Pattern.BI ? Math.max(own.nanos(), other.nanos()) : own.nanos(),
                own.checked() + other.checked(),
                own.corrupt() + other.corrupt());
        Outcome checked = whole.plus(data.afterwards());
        return new CaseResult.Run(messages, checked, times == null ? null : Rtt.of(times));
    }
}
