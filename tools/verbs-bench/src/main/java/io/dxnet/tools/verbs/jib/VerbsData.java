package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Idle;
import io.dxnet.tools.verbs.Payload;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Runs over verbs: one thread posts, polls and answers, whatever the pattern. */
final class VerbsData implements DataEnd {
    private static final int BATCH = 64;

    private final VerbsEnd end;
    private final int pollingThreads;
    private final WorkCompletion batch = new WorkCompletion(BATCH);
    private RunSpec spec;
    private boolean client;
    private Incoming in;

    /**
     * Uses an end.
     *
     * @param end connected
     * @param pollingThreads threads that poll at the same time on this machine
     */
    VerbsData(VerbsEnd end, int pollingThreads) {
        this.end = end;
        this.pollingThreads = pollingThreads;
    }

    @Override
    public void prepare(RunSpec newSpec, boolean asClient) {
        spec = newSpec;
        client = asClient;
        int size = spec.point().size();
        int slots = end.options.sendSlots(size);
        end.flags.memory().set(ValueLayout.JAVA_LONG, 0, 0);
        for (int slot = 0; slot < slots; slot++) {
            long offset = slot * LinkOptions.stride(size);
            if (spec.point().transfer() == Transfer.WRITE) {
                end.target.memory().set(ValueLayout.JAVA_BYTE, offset + size - 1, (byte) 0);
            } else if (spec.point().transfer() == Transfer.READ && spec.verify()) {
                Payload.fill(end.source.memory(), offset, size, spec.seed(), slot);
            }
        }
        in = incoming();
    }

    private boolean isActive() {
        return client || spec.point().pattern().isTwoWay();
    }

    private Incoming incoming() {
        boolean toUs = !client || spec.point().pattern().isTwoWay();
        boolean pingPong = spec.point().pattern() == Pattern.PING_PONG;
        return switch (spec.point().transfer()) {
            case SEND -> toUs ? new ReceivedMessages(end, spec) : null;
            case WRITE -> pingPong ? new WrittenMessages(end, spec) : null;
            case READ, TCP -> null;
        };
    }

    @Override
    public Outcome run(Histogram times) {
        Outgoing out = isActive() ? new Outgoing(end, spec, times) : null;
        if (out == null && in == null) {
            return Outcome.PASSIVE;
        }
        boolean pingPong = spec.point().pattern() == Pattern.PING_PONG;
        Idle idle = new Idle(spec.point().toString(), Duration.ofSeconds(end.options.stallSeconds()), pollingThreads);
        long answered = 0;
        long begin = System.nanoTime();
        while (out != null && !out.done() || in != null && !in.done()) {
            if (pingPong) {
                out.allow(in.received() + (client ? 1 : 0));
            }
            boolean moved = out != null && out.post();
            moved |= complete(out);
            moved |= in != null && in.poll();
            if (pingPong && in.received() != answered) {
                answered = in.received();
                out.recordTime();
            }
            idle.step(moved);
        }
        long nanos = System.nanoTime() - begin;
        Outcome outcome = out == null ? new Outcome(nanos, 0, 0) : out.outcome(nanos);
        return in == null ? outcome : outcome.plus(in.outcome());
    }

    private boolean complete(Outgoing out) {
        int count = end.queue.poll(batch);
        for (int i = 0; i < count; i++) {
            batch.at(i);
            if (!batch.isSuccess()) {
                throw new ToolException(spec.point() + ": " + batch);
            }
            if (batch.isReceive()) {
                in.completed(batch);
            } else if (batch.id() == ReceivedMessages.CREDIT_ID) {
                in.creditSent();
            } else {
                out.completed(batch.id());
            }
        }
        return count > 0;
    }

    /** Writes leave no trace but memory: each place must hold the last message written to it. */
    @Override
    public Outcome afterwards() {
        Pattern pattern = spec.point().pattern();
        boolean written = spec.point().transfer() == Transfer.WRITE
                && spec.verify()
                && (pattern == Pattern.BI || !client && pattern != Pattern.PING_PONG);
        if (!written) {
            return Outcome.PASSIVE;
        }
        int size = spec.point().size();
        int slots = end.options.sendSlots(size);
        long corrupt = 0;
        long first = Math.max(0, spec.messages() - slots);
        for (long number = first; number < spec.messages(); number++) {
            long offset = (number & slots - 1) * LinkOptions.stride(size);
            if (!Payload.matches(end.target.memory(), offset, size, spec.seed(), number)) {
                corrupt++;
            }
        }
        return new Outcome(0, spec.messages() - first, corrupt);
    }
}
