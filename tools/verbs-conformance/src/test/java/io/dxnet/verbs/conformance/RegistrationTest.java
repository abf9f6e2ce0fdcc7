package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How much memory can be registered: more than 32 bits
 * count, and no more than the process may lock.
 */
@Timeout(400)
class RegistrationTest {
    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final long BOUNDARY = 4L << 30;
    private static final long PAGE = 4096;
    /**
     * The largest region on a kernel that allocates an array of 16
     * bytes for each page in one piece, at most 4 MiB.
     */
    private static final long ONE_ARRAY = (4L << 20) / 16 * PAGE;

    private static final Access[] ALL = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ};

    @Test
    @DisplayName("5: a region of more than 4 GiB carries data at, across and beyond that boundary")
    void shouldReachBeyondFourGiB() throws IOException {
        long size = BOUNDARY + (1 << 20);
        try (Rig rig = Rig.open();
                Arena arena = Arena.ofShared();
                MemoryRegion region =
                        Rig.isSoft() ? rig.domain.register(sparse(arena, size), ALL) : allocate(rig, size)) {
            assertThat(region.byteSize()).isEqualTo(size);
            CompletionQueue queue = rig.queue(16);
            QueuePair one = rig.pair(queue, queue);
            QueuePair other = rig.pair(queue, queue);
            rig.connect(one, other);
            MemorySegment memory = region.memory();
            int length = 4096;
            long across = BOUNDARY - 100;
            long beyond = BOUNDARY + 500_000;

            Rig.fill(memory, beyond, length, 1);
            other.postReceive(new ReceiveChain(1, 1).receive(1).sge(region, across, length));
            one.postSend(new SendChain(1, 1).send(2).sge(region, beyond, length).signaled());
            rig.await(queue, 2).forEach(done -> assertThat(done.ok()).isTrue());
            Rig.check(memory, across, length, 1);

            long write = BOUNDARY + 600_000;
            one.postSend(new SendChain(1, 1)
                    .write(3, region.address() + write, region.remoteKey())
                    .sge(region, across, length)
                    .signaled());
            rig.awaitSuccess(queue);
            Rig.check(memory, write, length, 1);

            one.postSend(new SendChain(1, 1)
                    .read(4, region.address() + across, region.remoteKey())
                    .sge(region, 0, length)
                    .signaled());
            rig.awaitSuccess(queue);
            Rig.check(memory, 0, length, 1);
            // Where the data would be if offsets lost their upper half.
            for (long low : new long[] {beyond - BOUNDARY, write - BOUNDARY}) {
                assertThat(memory.asSlice(low, length).mismatch(memory.asSlice(1 << 20, length)))
                        .isEqualTo(-1);
            }
        }
    }

    /** Pages of a file without content: the software device pins none, so they cost nothing. */
    private static MemorySegment sparse(Arena arena, long size) throws IOException {
        Path file = Files.createTempFile("region", null);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
        }
    }

    /** Every page is pinned, so there must be as many. */
    private static MemoryRegion allocate(Rig rig, long size) throws IOException {
        long free = freeMemory();
        Rig.only(
                free > size + (512L << 20),
                "it pins %d MiB, and only %d MiB of memory are free".formatted(size >> 20, free >> 20));
        try {
            return rig.domain.allocate(size, ALL);
        } catch (VerbsException e) {
            Rig.only(
                    !isBoundByArray(rig, e),
                    "rxe of this kernel registers 1 GiB as one region and not a page more: 16 bytes for each page, which"
                            + " kmalloc allocates in one piece of at most 4 MiB");
            throw e;
        }
    }

    /** Whether the bound is exactly that of rxe's array; anything else fails the test. */
    private static boolean isBoundByArray(Rig rig, VerbsException refusal) {
        if (!Rig.isRxe() || refusal.errno() != ENOMEM) {
            return false;
        }
        rig.domain.allocate(ONE_ARRAY, ALL).close();
        assertThatThrownBy(() -> rig.domain.allocate(ONE_ARRAY + PAGE, ALL))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(ENOMEM));
        return true;
    }

    private static long freeMemory() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName(
            "30: without the right to lock memory registering fails with EPERM or ENOMEM, and the message names the limit")
    void shouldNameMemlockLimit() throws Exception {
        if (Rig.isSoft()) {
            limitSoftwareDevice();
        } else {
            limitProcesses();
        }
    }

    private static void limitSoftwareDevice() throws ReflectiveOperationException {
        try (Rig rig = Rig.open()) {
            assertRefused(rig, 0, 1 << 20, EPERM);
            assertRefused(rig, 1 << 20, 64 << 20, ENOMEM);
            SoftwareDevice.call("limitRegisteredBytes", 64L << 20);
            rig.domain.allocate(1 << 20, ALL).close();
        } finally {
            SoftwareDevice.call("play", new String[] {"heal"});
        }
    }

    private static void assertRefused(Rig rig, long limit, long bytes, int errno) throws ReflectiveOperationException {
        SoftwareDevice.call("limitRegisteredBytes", limit);
        assertThatThrownBy(() -> rig.domain.allocate(bytes, ALL))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining("registering " + bytes + " bytes")
                .hasMessageContaining("RLIMIT_MEMLOCK is ");
    }

    private static void limitProcesses() throws Exception {
        Rig.device();
        Rig.only(System.getProperty("user.name").equals("root"), "only root can start a process with other rights");
        assertThat(registerWithLimit(0, 1 << 20))
                .matches("ERRNO (" + EPERM + "|" + ENOMEM + ") .*RLIMIT_MEMLOCK is 0 bytes.*");
        assertThat(registerWithLimit(1 << 20, 64 << 20))
                .matches("ERRNO " + ENOMEM + " .*RLIMIT_MEMLOCK is 1048576 bytes.*");
        assertThat(registerWithLimit(64 << 20, 1 << 20)).isEqualTo("REGISTERED 1048576");
    }

    private static String registerWithLimit(long limit, long bytes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "prlimit",
                "--memlock=" + limit + ":" + limit,
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--inh-caps=-all"));
        command.addAll(Peer.java(MemlockProbe.class, Long.toString(bytes)));
        Process process = new ProcessBuilder(command).redirectErrorStream(false).start();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = in.readLine();
            String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return line == null ? "nothing; " + error : line;
        }
    }
}
