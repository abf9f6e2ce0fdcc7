package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.SendChain;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;

/**
 * The messages that one end sends, writes or reads in a run. The send queue is kept filled: as soon
 * as completions have made room, the next chain is posted (paper, section III). A message's number
 * is its request's id and, modulo the places in memory, its place. Used by one thread.
 */
final class Outgoing {
    private static final VarHandle CREDIT = ValueLayout.JAVA_LONG.varHandle();

    private final VerbsEnd end;
    private final RunSpec spec;
    private final Transfer transfer;
    private final int size;
    private final long stride;
    private final int slots;
    private final long window;
    private final int signalEvery;
    private final boolean inline;
    /** The receives that the other end keeps posted; endless where it needs none. */
    private final long receives;

    private final SendChain chain;
    private final Histogram times;
    /** Only while reads are verified: how many were found right or wrong. */
    private long checked;

    private long corrupt;
    private long posted;
    private long completed;
    private long limit;
    private long postedAtNs;

    /**
     * Prepares; the receiver must have done so too before the first post.
     *
     * @param end whose queue pair
     * @param spec the run
     * @param times gets the time of each operation, or null
     */
    Outgoing(VerbsEnd end, RunSpec spec, Histogram times) {
        this.end = end;
        this.spec = spec;
        this.times = times;
        transfer = spec.point().transfer();
        size = spec.point().size();
        stride = LinkOptions.stride(size);
        slots = end.options.sendSlots(size);
        boolean oneByOne = spec.point().pattern() == Pattern.LATENCY;
        window = oneByOne ? 1 : slots;
        signalEvery = oneByOne ? 1 : Math.clamp(slots / 2, 1, end.options.signalEvery());
        inline = transfer != Transfer.READ && spec.point().pattern().isLatency() && size <= end.inline;
        receives = transfer == Transfer.SEND ? end.options.receiveSlots(size) : Long.MAX_VALUE / 2;
        chain = new SendChain(Math.min(end.options.chain(), slots), 1, inline ? end.inline : 0);
        limit = spec.messages();
    }

    /** Allows that many messages in all to be posted. */
    void allow(long messages) {
        limit = Math.min(messages, spec.messages());
    }

    boolean done() {
        return completed == spec.messages();
    }

    /** Posts as much as there is room for; returns whether it posted anything. */
    boolean post() {
        long last = Math.min(Math.min(limit, completed + window), credit());
        int count = (int) Math.min(last - posted, chain.capacity());
        if (count <= 0) {
            return false;
        }
        chain.clear();
        for (int i = 0; i < count; i++) {
            append(posted + i);
        }
        if (times != null) {
            postedAtNs = System.nanoTime();
        }
        int taken = end.pair.postSend(chain);
        if (taken != count) {
            throw new ToolException(
                    "the send queue accepted " + taken + " of " + count + " requests: error " + chain.errno());
        }
        posted += count;
        return true;
    }

    /** How many messages the receives at the other end are enough for. */
    private long credit() {
        return receives + (transfer == Transfer.SEND ? (long) CREDIT.getAcquire(end.flags.memory(), 0L) : 0);
    }

    private void append(long number) {
        long offset = (number & slots - 1) * stride;
        MemorySegment memory = end.source.memory();
        if (transfer == Transfer.READ) {
            appendRead(number, offset);
        } else {
            if (spec.verify()) {
                Payload.fill(memory, offset, size, spec.seed(), number);
            } else if (spec.point().pattern() == Pattern.PING_PONG) {
                memory.set(ValueLayout.JAVA_BYTE, offset + size - 1, Payload.tag(number));
            }
            if (transfer == Transfer.SEND) {
                chain.send(number);
            } else {
                chain.write(
                        number,
                        end.remote().targetAddress() + offset,
                        end.remote().targetKey());
            }
            if (inline) {
                chain.inline(memory, offset, size);
            } else {
                chain.sge(end.source, offset, size);
            }
        }
        if ((number + 1) % signalEvery == 0 || number == spec.messages() - 1) {
            chain.signaled();
        }
    }

    private void appendRead(long number, long offset) {
        if (spec.verify()) {
            end.target.memory().set(ValueLayout.JAVA_BYTE, offset + size - 1, (byte) 0);
        }
        chain.read(number, end.remote().sourceAddress() + offset, end.remote().sourceKey());
        chain.sge(end.target, offset, size);
    }

    /** A request and all before it are complete. */
    void completed(long number) {
        if (transfer == Transfer.READ && spec.verify()) {
            for (long each = completed; each <= number; each++) {
                long slot = each & slots - 1;
                checked++;
                if (!Payload.matches(end.target.memory(), slot * stride, size, spec.seed(), slot)) {
                    corrupt++;
                }
            }
        }
        completed = number + 1;
        if (spec.point().pattern() == Pattern.LATENCY) {
            recordTime();
        }
    }

    /** The time since the last post is one result. */
    void recordTime() {
        if (times != null) {
            times.recordValue(Math.min(System.nanoTime() - postedAtNs, times.getHighestTrackableValue()));
        }
    }

    Outcome outcome(long nanos) {
        return new Outcome(nanos, checked, corrupt);
    }

    @Override
    public String toString() {
        return spec.point() + ": " + completed + " of " + spec.messages() + " complete, " + posted + " posted";
    }
}
