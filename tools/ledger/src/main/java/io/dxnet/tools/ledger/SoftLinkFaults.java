package io.dxnet.tools.ledger;

import io.dxnet.softhca.SoftFaults;
import java.time.Duration;
import java.util.Random;

/** Faults of the software device. All nodes use the same device, so all of them see each fault. */
final class SoftLinkFaults implements LinkFaults {
    private static final int FOR_MS_MAX = 500;
    private static final int RETRIES_EXCEEDED = 12; // IBV_WC_RETRY_EXC_ERR

    private final SoftFaults faults;
    private final Random random;

    SoftLinkFaults(String device, Random random) {
        this.faults = SoftFaults.of(device);
        this.random = random;
    }

    @Override
    public int begin() {
        switch (random.nextInt(6)) {
            case 0 -> faults.lose(random.nextDouble() * 0.2, random.nextLong());
            case 1 -> faults.delay(random.nextDouble(), Duration.ofMillis(1 + random.nextInt(20)), random.nextLong());
            case 2 -> faults.loseNext(1 + random.nextInt(50));
            case 3 -> faults.receiverNotReadyNext(1 + random.nextInt(50));
            case 4 -> faults.failNextRequests(RETRIES_EXCEEDED, 1 + random.nextInt(3));
            default -> faults.cutLink(true);
        }
        return FOR_MS_MAX;
    }

    @Override
    public void end() {
        faults.clear();
    }

    @Override
    public void close() {
        end();
    }
}
