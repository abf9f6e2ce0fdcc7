package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.ChaosSoak;
import io.dxnet.softhca.SoftFaults;
import java.util.Random;

/** The soak test on a device that has its own ideas of when it is ready. */
class IbChaosSoakTest extends ChaosSoak {
    private static final int ENOMEM = 12;

    @Override
    protected DXNetConfig.Builder settings(DXNetConfig.Builder builder) {
        return IbNodes.tiny(builder);
    }

    @Override
    protected void disturb(Random random) {
        if (!IbNodes.DEVICE.startsWith("soft")) {
            return;
        }
        SoftFaults faults = SoftFaults.of(IbNodes.DEVICE);
        switch (random.nextInt(6)) {
            case 0 -> faults.receiverNotReadyNext(1 + random.nextInt(3));
            case 1 -> faults.failNextCalls("ibv_post_send", ENOMEM, 1 + random.nextInt(3));
            case 2 -> faults.failNextCalls("ibv_post_srq_recv", ENOMEM, 1 + random.nextInt(3));
            case 3 -> faults.failNextRequests(1 + random.nextInt(22), 1);
            case 4 -> faults.clear(); // requests that wait now do so without a timer
            default -> {
                // well
            }
        }
    }
}
