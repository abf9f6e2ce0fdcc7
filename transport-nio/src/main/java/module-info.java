/** The TCP transport (EthDXNet, DXNet §VIII to §XI). Exports nothing: it is found as a service. */
module io.dxnet.transport.nio {
    requires io.dxnet.runtime;
    requires jdk.net;

    provides io.dxnet.transport.TransportProvider with
            io.dxnet.transport.nio.NioTransportProvider;
}
