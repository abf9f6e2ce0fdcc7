package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.contract.Cluster;
import java.util.List;

/**
 * What the tests run on: {@code -Ddxnet.ib.device}, the software device by default, or
 * {@code -Ddxnet.ib.hosts}, a list of this machine's addresses that the nodes get in turn, each
 * with the device that has its address.
 */
final class TestDevice {
    private static final String HOSTS = System.getProperty("dxnet.ib.hosts");
    private static final String DEVICE = System.getProperty("dxnet.ib.device", HOSTS == null ? "soft0" : null);

    private TestDevice() {}

    /** {@return whether each node has an address, and a device, of its own} */
    static boolean isByAddress() {
        return HOSTS != null;
    }

    /** The defaults, but for time limits, which a slow machine gets more of. */
    static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        builder.transport("ib")
                .connectTimeoutMs(ms(5))
                .sendTimeoutMs(ms(10))
                .transportOption("ib.handshakeTimeoutMs", "" + ms(2))
                .transportOption("ib.keepAliveMs", "" + ms(5))
                .transportOption("ib.ackTimeout", ms(1) == 1000 ? "17" : "19"); // 3.7 or 15 s
        if (HOSTS != null) {
            builder.security(SecurityMode.NONE); // other machines can reach these addresses
        }
        return DEVICE == null ? builder : builder.transportOption("ib.device", DEVICE);
    }

    private static int ms(int seconds) {
        return (int) Cluster.seconds(seconds).toMillis();
    }

    static List<NodeMap> maps(int nodes) {
        return HOSTS == null ? Cluster.localMaps(nodes) : Cluster.maps(nodes, List.of(HOSTS.split(",")));
    }
}
