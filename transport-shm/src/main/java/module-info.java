/** The shared-memory transport of one host. Exports nothing: it is found as a service. */
module io.dxnet.transport.shm {
    requires io.dxnet.runtime;

    provides io.dxnet.transport.TransportProvider with
            io.dxnet.transport.shm.ShmTransportProvider;
}
