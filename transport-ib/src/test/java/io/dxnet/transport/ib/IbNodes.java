package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;

/** Nodes on the device that the tests are run on. */
final class IbNodes {
    /** The device's name. */
    static final String DEVICE = System.getProperty("dxnet.ib.device", "soft0");

    private IbNodes() {}

    /** A connection of which nothing but the object is there. */
    static IbConnection unconnected() {
        return new IbConnection(null, null, 1, null, null, null);
    }

    static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("ib").transportOption("ib.device", DEVICE);
    }

    /** The same with queues and buffers as small as they get. */
    static DXNetConfig.Builder tiny(DXNetConfig.Builder builder) {
        return smallest(configure(builder));
    }

    /** Queues and buffers as small as they get, on whichever device. */
    static DXNetConfig.Builder smallest(DXNetConfig.Builder builder) {
        return builder.ringBytes(16 << 10)
                .flowControlWindowBytes(64 << 10)
                .smallBuffers(8)
                .mediumBuffers(2)
                .largeBuffers(1)
                .transportOption("ib.sendQueueRequests", "4")
                .transportOption("ib.sharedReceiveRequests", "16")
                .transportOption("ib.receiveSges", "2")
                .transportOption("ib.receiveBufferBytes", "4K")
                .transportOption("ib.receivePoolBytes", "128K");
    }

    static Cluster cluster(int nodes, UnaryOperator<DXNetConfig.Builder> settings) {
        return new Cluster(maps(Ports.addresses(nodes)), settings);
    }

    static List<NodeMap> maps(List<String> addresses) {
        List<NodeMap> maps = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            maps.add(Ports.map(i, addresses));
        }
        return maps;
    }

    /** For tests that make the device fail, or read its state. */
    static void assumeSoftware() {
        Assumptions.assumeTrue(DEVICE.startsWith("soft"), "needs a software device, whose faults can be switched on");
    }
}
