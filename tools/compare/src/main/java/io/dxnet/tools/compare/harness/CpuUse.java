package io.dxnet.tools.compare.harness;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How many messages were received, and the processor time that all processes of a peer used
 * meanwhile: user and system time, of the kernel's network code too.
 *
 * @param messages received
 * @param seconds of processor time, or 0 where the operating system does not report it
 */
public record CpuUse(long messages, double seconds) {
    /** Nothing measured. */
    public static final CpuUse NONE = new CpuUse(0, 0);

    /**
     * Both.
     *
     * @param other more of it
     * @return the sum
     */
    public CpuUse plus(CpuUse other) {
        return new CpuUse(messages + other.messages, seconds + other.seconds);
    }

    /**
     * Divides messages by processor time.
     *
     * @return messages per second of one processor, or nothing where one of the two is 0
     */
    public OptionalDouble messagesPerSecond() {
        return messages > 0 && seconds > 0 ? OptionalDouble.of(messages / seconds) : OptionalDouble.empty();
    }

    /**
     * {@return the processor time so far of processes and of all that they have started, seconds}
     * Processes that have ended do not count. Linux reports it in steps of 10 ms.
     *
     * @param processes of a peer
     */
    static double secondsOf(Collection<ProcessHandle> processes) {
        return processes.stream()
                        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                        .distinct()
                        .map(process -> process.info().totalCpuDuration())
                        .flatMap(Optional::stream)
                        .mapToLong(Duration::toNanos)
                        .sum()
                / 1e9;
    }
}
