/** The transport-agnostic engine, the loopback transport and the transport SPI. */
module io.dxnet.runtime {
    requires transitive io.dxnet.api;
    requires jdk.jfr;
    requires org.jctools.core.jdk11;
    requires static org.jspecify;

    exports io.dxnet.transport;
    exports io.dxnet.transport.connection to
            io.dxnet.transport.ib,
            io.dxnet.transport.nio,
            io.dxnet.transport.shm;
    exports io.dxnet.transport.memory to
            io.dxnet.transport.ib,
            io.dxnet.transport.shm;
    exports io.dxnet.transport.ring;
    exports io.dxnet.transport.handshake to
            io.dxnet.transport.ib,
            io.dxnet.transport.nio,
            io.dxnet.transport.shm;
    exports io.dxnet.transport.idle to
            io.dxnet.transport.ib,
            io.dxnet.transport.nio,
            io.dxnet.transport.shm;
    exports io.dxnet.transport.security;
    exports io.dxnet.transport.shared to
            io.dxnet.transport.ib,
            io.dxnet.transport.nio,
            io.dxnet.transport.shm;
    exports io.dxnet.transport.tls to
            io.dxnet.tools.bench,
            io.dxnet.transport.ib,
            io.dxnet.transport.nio,
            io.dxnet.transport.shm;

    uses io.dxnet.transport.TransportProvider;

    provides io.dxnet.spi.EngineProvider with
            io.dxnet.runtime.MessagingEngineProvider;
    provides io.dxnet.transport.TransportProvider with
            io.dxnet.transport.loopback.LoopbackTransportProvider;
}
