package io.dxnet.tools.compare.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CpuUseTest {
    @Test
    void shouldDivideMessagesByProcessorTimeWhereBothAreKnown() {
        assertThat(new CpuUse(3_000, 1.5).messagesPerSecond()).hasValue(2_000);
        assertThat(new CpuUse(3_000, 0).messagesPerSecond()).isEmpty();
        assertThat(new CpuUse(0, 1).messagesPerSecond()).isEmpty();
        assertThat(new CpuUse(1, 0.5).plus(new CpuUse(2, 0.25))).isEqualTo(new CpuUse(3, 0.75));
    }

    @Test
    @Timeout(60)
    void shouldCountTheTimeOfThisProcess() {
        Set<ProcessHandle> self = Set.of(ProcessHandle.current());
        double before = CpuUse.secondsOf(self);
        assumeTrue(before > 0, "this system does not report the time of a processor");
        while (CpuUse.secondsOf(self) <= before) {
            Thread.onSpinWait(); // which uses it
        }
    }

    /** As with an MPI launcher, the process itself waits; one that it started works. */
    @Test
    @Timeout(60)
    void shouldCountTheTimeOfStartedProcesses() throws Exception {
        List<String> command = List.of("sh", "-c", "sh -c 'while :; do :; done' & echo $!; read line; kill $!");
        Process parent = new ProcessBuilder(command).start();
        try {
            parent.inputReader().readLine(); // the other one runs
            while (CpuUse.secondsOf(Set.of(parent.toHandle())) < 0.2) {
                Thread.yield(); // the test has a time limit
            }
        } finally {
            parent.outputWriter().close();
            parent.waitFor();
        }
    }
}
