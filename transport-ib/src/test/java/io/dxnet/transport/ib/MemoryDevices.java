package io.dxnet.transport.ib;

import io.dxnet.softhca.SoftFaults;
import io.dxnet.transport.ib.memory.MemoryDevice;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Opens the device that the tests are run on, as a transport does, for one-sided access. */
public final class MemoryDevices {
    /** So that requests end later than the call that posts them. */
    private static final Duration LATE = Duration.ofNanos(50_000);

    private MemoryDevices() {}

    /**
     * Delays half of the requests where the device is soft0, which carries them out while they are
     * posted; nothing on other devices. {@link #clearFaults} ends that.
     */
    public static void delayHalf() {
        delay(0.5, LATE);
    }

    /** Delays a share of the requests by so much, as {@link #delayHalf} does. */
    public static void delay(double share, Duration late) {
        if (isSoft0()) {
            SoftFaults.of(IbNodes.DEVICE).delay(share, late, 1);
        }
    }

    /** Ends what {@link #delayHalf} or {@link #delay} began. */
    public static void clearFaults() {
        if (isSoft0()) {
            SoftFaults.of(IbNodes.DEVICE).clear();
        }
    }

    /** {@return whether the device carries requests out while they are posted} */
    public static boolean isImmediate() {
        return isSoft0();
    }

    private static boolean isSoft0() {
        return !TestDevice.isByAddress() && IbNodes.DEVICE.startsWith("soft") && !IbNodes.DEVICE.contains("@");
    }

    /**
     * Opens one.
     *
     * @param node 0 or 1: with a list of hosts, each has its own
     * @param ackTimeout {@code ib.ackTimeout}
     * @return the device; closing its context closes it
     */
    public static MemoryDevice open(int node, int ackTimeout) throws UnknownHostException {
        Map<String, String> values = new HashMap<>(Map.of("ib.ackTimeout", "" + ackTimeout));
        InetAddress local = null;
        if (TestDevice.isByAddress()) {
            local = TestDevice.maps(2).get(node).address(node).getAddress();
        } else {
            values.put("ib.device", IbNodes.DEVICE);
        }
        IbOptions options = IbOptions.from(values);
        IbDevice device = IbDevice.open(options, local);
        return new MemoryDevice(
                device.context(), device.gid(), device.mtu().bytes(), mtu -> device.connectOptions(options, mtu));
    }
}
