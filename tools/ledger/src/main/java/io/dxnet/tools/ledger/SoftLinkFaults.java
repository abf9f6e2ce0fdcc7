package io.dxnet.tools.ledger;

import io.dxnet.DXNetConfig;
import io.dxnet.softhca.SoftFaults;
import io.dxnet.tools.bench.nodes.Transports;
import java.time.Duration;
import java.util.Random;

/**
 * Faults of the software device that a node of this process uses. All nodes with the same device
 * see each of its faults. Any thread.
 */
final class SoftLinkFaults {
    private static final int RETRIES_EXCEEDED = 12; // IBV_WC_RETRY_EXC_ERR

    private final SoftFaults faults;

    /**
     * Finds the device's switches.
     *
     * @param config of the node, with a software device
     */
    SoftLinkFaults(DXNetConfig config) {
        this.faults = SoftFaults.of(config.transportOptions().get(Transports.IB_DEVICE));
    }

    /** Begins a random fault; another one may still last. */
    void begin(long seed) {
        Random random = new Random(seed);
        switch (random.nextInt(6)) {
            case 0 -> faults.lose(random.nextDouble() * 0.2, random.nextLong());
            case 1 -> faults.delay(random.nextDouble(), Duration.ofMillis(1 + random.nextInt(20)), random.nextLong());
            case 2 -> faults.loseNext(1 + random.nextInt(50));
            case 3 -> faults.receiverNotReadyNext(1 + random.nextInt(50));
            case 4 -> faults.failNextRequests(RETRIES_EXCEEDED, 1 + random.nextInt(3));
            default -> faults.cutLink(true);
        }
    }

    /** Ends all faults that began. */
    void end() {
        faults.clear();
    }
}
