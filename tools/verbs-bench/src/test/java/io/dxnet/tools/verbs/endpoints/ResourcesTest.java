package io.dxnet.tools.verbs.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.tools.verbs.Port;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcesTest {
    private static final MessageRate.Settings SETTINGS = new MessageRate.Settings(2, 16, 4, 8, 15);
    private static final Port PORT = new Port("soft0", 1, -1);
    private static final Port PEER = new Port("soft1", 1, -1);

    /** The paper's section VII: uUARs of 16 threads in per cent of those of MPI everywhere, 256. */
    @ParameterizedTest
    @CsvSource({
        "MPI_EVERYWHERE, 16, 16, 16, 100",
        "TWO_X_DYNAMIC,  1,  32, 32, 31.25",
        "DYNAMIC,        1,  16, 16, 18.75",
        "SHARED_DYNAMIC, 1,  16, 16, 12.5",
        "STATIC,         1,  16, 16, 6.25",
        "MPI_THREADS,    1,  1,  1,  6.25"
    })
    void shouldUseAsManyResourcesAsThePaperSays(
            Category category, int contexts, int completionQueues, int queuePairs, double percent) {
        try (MessageRate rate = new MessageRate(SETTINGS, category, 16, PORT, PEER)) {
            Resources resources = rate.resources();
            assertThat(resources.contexts()).isEqualTo(contexts);
            assertThat(resources.protectionDomains()).isEqualTo(contexts);
            assertThat(resources.completionQueues()).isEqualTo(completionQueues);
            assertThat(resources.queuePairs()).isEqualTo(queuePairs);
            assertThat(resources.memoryRegions()).isEqualTo(16);
            assertThat(100.0 * resources.mlx5Uuars() / 256).isEqualTo(percent);
            assertThat(rate.threadDomainsMissing()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 353568", "16, 5657088"})
    void shouldTakeTheMemoryOfThePapersTable(int threads, long bytes) {
        // Table I: 345 KB for one endpoint, 5.39 MB for 16 of MPI everywhere.
        Resources resources = new Resources(threads, threads, 0, threads, threads, threads, 0);
        assertThat(resources.mlx5Bytes()).isEqualTo(bytes);
    }
}
