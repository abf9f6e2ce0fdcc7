package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.NativePeer;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Open MPI, a program in C: over TCP or over shared memory. */
final class OpenMpiPeer implements NativePeer {
    private final boolean shared;

    /**
     * Open MPI over a transport.
     *
     * @param shared whether over shared memory instead of TCP
     */
    OpenMpiPeer(boolean shared) {
        this.shared = shared;
    }

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                shared ? "openmpi-shm" : "openmpi-tcp",
                shared ? "Open MPI (C) shared memory" : "Open MPI (C) TCP",
                "of this machine",
                shared ? "shared memory" : "TCP",
                true,
                "a program in C, compiled by mpicc -O2, two ranks; pml ob1, btl "
                        + (shared ? "sm (vader before version 5)" : "tcp on the loopback interface")
                        + "; each sending thread has a communicator and 64 open MPI_Isend, each a copy of the payload; the receiver has 64 "
                        + "posted MPI_Irecv for each and completes them in order with MPI_Test, on one thread; round trips with MPI_Send "
                        + "and MPI_Recv; MPI_THREAD_MULTIPLE for more than one thread; not bound to cores; ranks poll, and yield when idle "
                        + "(mpi_yield_when_idle) where there are more threads than processors",
                "https://www.open-mpi.org/faq/?category=" + (shared ? "sm" : "tcp")
                        + " https://www.open-mpi.org/faq/?category=running "
                        + "https://mvapich.cse.ohio-state.edu/benchmarks/ (osu_mbw_mr)",
                "Java, objects, types and callbacks per type, request/response, threads that sleep when nothing comes, nodes that join and "
                        + "leave, flow control up to the receiver's processing" + (shared ? ", other machines" : ""),
                "collective operations, derived datatypes, remote memory, tag matching, Fortran, fabrics of supercomputers");
    }

    @Override
    public Optional<String> unavailabilityCause() {
        try {
            OpenMpi.find();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("needs Open MPI's mpicc and mpirun: apt-get install openmpi-bin libopenmpi-dev ("
                    + String.valueOf(e.getMessage()).replace('\n', ' ') + ")");
        }
    }

    @Override
    public String onThisMachine() {
        try {
            return "Open MPI " + OpenMpi.find().version();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void make(Path folder) throws IOException {
        OpenMpi.compile(folder);
    }

    @Override
    public List<String> command(Path folder, Workload workload) throws IOException {
        OpenMpi.clear(folder);
        return OpenMpi.find()
                .command(folder, workload, shared, Runtime.getRuntime().availableProcessors());
    }
}
