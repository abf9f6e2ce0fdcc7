package io.dxnet.tools.compare.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenMpiTest {
    private static final Path FOLDER = Path.of("folder");

    private final Workload one = new Workload(Workload.Mode.ONE_WAY, 64, 1, false);
    private final Workload four = new Workload(Workload.Mode.ONE_WAY, 64, 4, true);

    @Test
    void shouldReadTheVersionAndRefuseAnotherMpi() throws Exception {
        assertThat(OpenMpi.of("mpirun (Open MPI) 4.1.4\n\nReport bugs to ...\n").version())
                .isEqualTo("4.1.4");
        assertThat(OpenMpi.of("mpirun (Open MPI) 5.0.7rc1\n").version()).isEqualTo("5.0.7rc1");
        assertThatThrownBy(() -> OpenMpi.of("HYDRA build details:\n    Version: 4.0.2\n"))
                .isInstanceOf(IOException.class)
                .hasMessage("mpirun is not that of Open MPI");
    }

    @Test
    void shouldNameTheTransportAsTheVersionDoes() {
        assertThat(new OpenMpi("4.1.4").command(FOLDER, one, true, 2))
                .containsSubsequence("--mca", "btl", "vader,self");
        assertThat(new OpenMpi("5.0.7").command(FOLDER, one, true, 2)).containsSubsequence("--mca", "btl", "sm,self");
        assertThat(new OpenMpi("5.0.7").command(FOLDER, one, false, 2))
                .containsSubsequence("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo");
    }

    @Test
    void shouldYieldWhereThreadsAreMoreThanProcessors() {
        List<String> two = List.of("mpi_yield_when_idle", "0");
        assertThat(new OpenMpi("4.1.4").command(FOLDER, one, false, 2)).containsSequence(two);
        assertThat(new OpenMpi("4.1.4").command(FOLDER, four, false, 5)).containsSequence(two);
        assertThat(new OpenMpi("4.1.4").command(FOLDER, four, false, 4)).containsSequence("mpi_yield_when_idle", "1");
    }

    @Test
    void shouldPassTheWorkload() {
        assertThat(new OpenMpi("4.1.4").command(FOLDER, four, false, 2))
                .startsWith("mpirun", "-np", "2")
                .endsWith("ONE_WAY", "64", "4", "true");
    }
}
