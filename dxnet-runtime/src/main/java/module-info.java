/** The transport-agnostic engine, the loopback transport and the transport SPI. */
module io.dxnet.runtime {
    requires transitive io.dxnet.api;
    requires jdk.jfr;
    requires org.jctools.core.jdk11;

    exports io.dxnet.transport;
    exports io.dxnet.transport.handshake;

    uses io.dxnet.transport.TransportProvider;

    provides io.dxnet.spi.EngineProvider with
            io.dxnet.runtime.MessagingEngineProvider;
    provides io.dxnet.transport.TransportProvider with
            io.dxnet.runtime.LoopbackTransportProvider;
}
