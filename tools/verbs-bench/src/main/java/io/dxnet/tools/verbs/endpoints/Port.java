package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.tools.verbs.BenchException;

/**
 * A device's port, from which contexts are opened.
 *
 * @param device its name
 * @param number from 1
 * @param gidIndex an entry of the GID table, or -1 for the best
 */
record Port(String device, int number, int gidIndex) {
    private static final int PSN = 1;

    Context open() {
        return Device.named(device).open();
    }

    GidEntry gid(Context context) {
        if (gidIndex < 0) {
            return context.chooseGid(number);
        }
        return context.gids(number).stream()
                .filter(entry -> entry.index() == gidIndex)
                .findFirst()
                .orElseThrow(() -> new BenchException("GID " + gidIndex + " of " + device + " is empty"));
    }

    /** Connects two queue pairs with each other. */
    static void connect(QueuePair a, GidEntry gidOfA, QueuePair b, GidEntry gidOfB) {
        a.connect(gidOfA, PSN, b.addressFor(gidOfB, PSN), new ConnectOptions());
        b.connect(gidOfB, PSN, a.addressFor(gidOfA, PSN), new ConnectOptions());
    }
}
