package io.dxnet.tools.bench;

import io.dxnet.ParkingStrategy;
import java.util.Locale;

/**
 * What nodes are started with.
 *
 * @param transport resolved
 * @param nodes how many
 * @param handlers message handlers of each node; 0: DXNet chooses
 * @param parking what idle threads do; null: as configured
 */
record Setup(String transport, int nodes, int handlers, ParkingStrategy parking) {
    /** As it is typed: {@code never}; empty where nothing was typed. */
    String parkingLabel() {
        return parking == null ? "" : parking.name().toLowerCase(Locale.ROOT);
    }
}
