/** The InfiniBand and RoCE transport (Ibdxnet). Exports nothing: it is found as a service. */
module io.dxnet.transport.ib {
    requires io.dxnet.ibverbs;
    requires io.dxnet.runtime;

    provides io.dxnet.transport.TransportProvider with
            io.dxnet.transport.ib.IbTransportProvider;
}
