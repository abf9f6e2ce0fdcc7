package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import java.util.Optional;

/** Offers {@link LoopbackTransport}; never chosen automatically. */
public final class LoopbackTransportProvider implements TransportProvider {
    /** For {@link java.util.ServiceLoader}. */
    public LoopbackTransportProvider() {}

    @Override
    public String name() {
        return "loopback";
    }

    @Override
    public int preference() {
        return -1;
    }

    @Override
    public Optional<String> unavailabilityCause(DXNetConfig config) {
        return Optional.empty();
    }

    @Override
    public Transport create(TransportContext context) {
        return new LoopbackTransport(context);
    }
}
