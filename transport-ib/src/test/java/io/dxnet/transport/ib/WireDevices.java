package io.dxnet.transport.ib;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.dxnet.DXNetConfig;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Software devices on the wire, which exchange packets of RoCE v2. Their addresses are those of
 * this process alone.
 */
final class WireDevices {
    private static final int COUNT = 16;
    private static final long PID = ProcessHandle.current().pid();
    private static final String NETWORK = "127." + (64 + (PID & 63)) + "." + (PID >> 6 & 255) + ".";
    private static final AtomicInteger NEXT = new AtomicInteger();

    private WireDevices() {}

    /** The address of a device, numbered from 0 to 252. */
    static String address(int number) {
        return NETWORK + (2 + number);
    }

    /** The name of the device at {@link #address}. */
    static String device(int number) {
        return "soft@" + address(number);
    }

    /**
     * Lets a node have the next one of {@value #COUNT} devices, so that the nodes of one cluster
     * have different ones. For tests of their own: only where the others run on a software device.
     */
    static DXNetConfig.Builder inTurn(DXNetConfig.Builder builder) {
        assumeFalse(TestDevice.isByAddress(), "the others run on the devices of this machine's addresses");
        IbNodes.assumeSoftware();
        int number = Math.floorMod(NEXT.getAndIncrement(), COUNT);
        return builder.transportOption("ib.device", device(number));
    }
}
