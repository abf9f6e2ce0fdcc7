package io.dxnet.tools.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The whole command, short, without events and limit. */
class LedgerMainTest {
    @Test
    void shouldFindNothingOnHealthyNodesOfOneProcess() {
        assertThat(Main.run(
                        "--transport=loopback",
                        "--nodes=3",
                        "--seconds=1",
                        "--events=none",
                        "--seed=1",
                        "--rate=2000",
                        "--senders=thread,virtual,spawned"))
                .isZero();
    }

    @Test
    void shouldFindNothingOnHealthyProcesses() {
        assertThat(Main.run(
                        "--transport=nio",
                        "--nodes=2",
                        "--seconds=1",
                        "--events=none",
                        "--seed=1",
                        "--rate=500",
                        "--senders=thread"))
                .isZero();
    }

    /** The addresses are those of this process, so that another test has others. */
    private static String softwareDevices() {
        long pid = ProcessHandle.current().pid();
        return "--device=soft@127." + (64 + (pid & 63)) + "." + (pid >> 6 & 255) + ".2";
    }

    @Test
    void shouldFindNothingOnProcessesWhoseSoftwareDevicesFail() {
        assertThat(Main.run(
                        "--transport=ib",
                        softwareDevices(),
                        "--nodes=2",
                        "--seconds=3",
                        "--events=links",
                        "--seed=1",
                        "--rate=500",
                        "--senders=thread"))
                .isZero();
    }

    @Test
    void shouldFindNothingOnSoftwareDevicesOfOneProcess() {
        assertThat(Main.run(
                        "--transport=ib",
                        softwareDevices(),
                        "--in-process",
                        "--nodes=2",
                        "--seconds=1",
                        "--events=none",
                        "--seed=1",
                        "--rate=500",
                        "--senders=thread"))
                .isZero();
    }

    /** Speed is no matter of a test: the bounds are met by any ratio, and by none. */
    @Test
    void shouldCompareVirtualWithPlatformThreads() {
        String[] few = {"virtual", "--transport=loopback", "--threads=400", "--platform=10", "--times=1", ""};
        few[5] = "--bound=1000000";
        assertThat(Main.run(few)).isZero();
        few[5] = "--bound=0";
        assertThat(Main.run(few)).isEqualTo(1);
    }

    @Test
    void shouldRefuseOptionsOfOtherCommands() {
        for (String command : List.of("cycles", "silent", "virtual")) {
            for (String option : List.of("--nodes=5", "--limit=2", "--rate=1", "--senders=thread")) {
                assertThat(Main.run(command, "--transport=loopback", option)).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldSpreadProcessesOverAddresses() {
        assertThat(Main.run(
                        "--transport=nio",
                        "--nodes=2",
                        "--hosts=127.0.0.1,127.0.0.2",
                        "--seconds=1",
                        "--events=none",
                        "--seed=1",
                        "--rate=500",
                        "--senders=thread"))
                .isZero();
    }

    @Test
    void shouldRefuseWrongOptions() {
        assertThat(Main.run("virtual", "--transport=loopback", "--threads=1")).isEqualTo(2);
        assertThat(Main.run("--transport=nio", "--step=0")).isEqualTo(2);
        assertThat(Main.run("--transport=nio", "--loss=5")).isEqualTo(2);
        assertThat(Main.run("--transport=nio", "--events=links")).isEqualTo(2);
        assertThat(Main.run("--transport=nio", "--nodes=1")).isEqualTo(2);
        assertThat(Main.run("--transport=nio", "--seconds=0")).isEqualTo(2);
        assertThat(Main.run("--transport=nio", "-D", "ringBytes=5")).isEqualTo(2);
    }
}
