package io.dxnet.tools.verbs;

import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.tools.cli.ToolException;

/**
 * A device's port, from which contexts are opened.
 *
 * @param device its name
 * @param number from 1
 * @param gidIndex an entry of the GID table, or -1 for the best
 */
public record Port(String device, int number, int gidIndex) {
    private static final int PSN = 1;

    /**
     * Opens the device.
     *
     * @return its context, to be closed by the caller
     */
    public Context open() {
        return Device.named(device).open();
    }

    /**
     * Returns the port's GID.
     *
     * @param context of {@link #open}
     * @return the entry to connect with
     */
    public GidEntry gid(Context context) {
        if (gidIndex < 0) {
            return context.chooseGid(number);
        }
        return context.gids(number).stream()
                .filter(entry -> entry.index() == gidIndex)
                .findFirst()
                .orElseThrow(() -> new ToolException(
                        "GID " + gidIndex + " of " + device + " is empty; there are " + context.gids(number)));
    }

    /**
     * Connects two queue pairs of this process with each other.
     *
     * @param a reset
     * @param gidOfA of its port
     * @param b reset
     * @param gidOfB of its port
     */
    public static void connect(QueuePair a, GidEntry gidOfA, QueuePair b, GidEntry gidOfB) {
        a.connect(gidOfA, PSN, b.addressFor(gidOfB, PSN), new ConnectOptions());
        b.connect(gidOfB, PSN, a.addressFor(gidOfA, PSN), new ConnectOptions());
    }
}
