package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.VerbsUnavailableException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import java.util.Optional;

/**
 * Offers the InfiniBand and RoCE transport under the name {@code ib}. {@code transport=auto}
 * chooses it where a device with an active port is there, or the one that {@code ib.device} names.
 * Its options are listed in the module's README.
 */
public final class IbTransportProvider implements TransportProvider {
    /** For {@link java.util.ServiceLoader}. */
    public IbTransportProvider() {}

    @Override
    public String name() {
        return IbOptions.NAME;
    }

    @Override
    public int preference() {
        return 20;
    }

    @Override
    public Optional<String> unavailabilityCause(DXNetConfig config) {
        Module binding = Device.class.getModule();
        if (!binding.isNativeAccessEnabled()) {
            return Optional.of("native access is not enabled: start Java with --enable-native-access="
                    + (binding.isNamed() ? binding.getName() : "ALL-UNNAMED"));
        }
        IbOptions options = IbOptions.from(config.transportOptions());
        try {
            if (options.device() != null) {
                Device.named(options.device());
            } else {
                IbDevice.firstUsable(null);
            }
            return Optional.empty();
        } catch (VerbsUnavailableException | VerbsException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public Transport create(TransportContext context) {
        return new IbTransport(context, IbOptions.from(context.config().transportOptions()));
    }

    @Override
    public Optional<String> irreplaceable(DXNetConfig config) {
        Encryption encryption = IbOptions.from(config.transportOptions()).encryption();
        return encryption == Encryption.NONE ? Optional.empty() : Optional.of("ib.security=" + encryption);
    }

    @Override
    public Optional<DXNetConfig> smaller(DXNetConfig config) {
        return LockedMemory.smaller(config);
    }
}
