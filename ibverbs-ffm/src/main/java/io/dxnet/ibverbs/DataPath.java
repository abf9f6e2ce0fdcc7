package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The function pointers of one context's data path, and which of them may be called without leaving Java. */
final class DataPath {
    /** {@code never} makes every call a normal downcall, whatever the device. */
    static final String CRITICAL_PROPERTY = "io.dxnet.ibverbs.critical";

    /** Drivers of hardware whose user library posts and polls without the kernel. */
    private static final Set<String> USER_SPACE_DRIVERS = Set.of(
            "mlx4_core",
            "mlx5_core",
            "bnxt_en",
            "ice",
            "i40e",
            "irdma",
            "efa",
            "erdma",
            "hns3",
            "hns_roce_hw_v2",
            "qede",
            "cxgb4",
            "mana",
            "ionic",
            "ocrdma",
            "be2net",
            "vmw_pvrdma");

    final MemorySegment pollCq;
    final MemorySegment requestNotification;
    final MemorySegment postSrqReceive;
    final MemorySegment postSend;
    final MemorySegment postReceive;
    /** Posting sends and arming notifications stay in user space. */
    final boolean criticalSend;
    /** Polling and posting receives stay in user space; so they do on rxe, too, which only rings a doorbell for sends. */
    final boolean criticalReceive;

    DataPath(long context, String deviceName, boolean upcalls) {
        pollCq = operation(context, "poll_cq", ibv_context_ops.poll_cq$offset());
        requestNotification = operation(context, "req_notify_cq", ibv_context_ops.req_notify_cq$offset());
        postSrqReceive = operation(context, "post_srq_recv", ibv_context_ops.post_srq_recv$offset());
        postSend = operation(context, "post_send", ibv_context_ops.post_send$offset());
        postReceive = operation(context, "post_recv", ibv_context_ops.post_recv$offset());
        boolean allowed = !upcalls && !"never".equals(System.getProperty(CRITICAL_PROPERTY));
        boolean rxe = isRxe(deviceName);
        criticalSend = allowed && !rxe && !deviceName.startsWith("siw") && hasUserSpaceDriver(deviceName);
        criticalReceive = criticalSend || allowed && rxe;
    }

    private static MemorySegment operation(long context, String name, long offset) {
        long address = Memory.getLong(context + ibv_context.ops$offset() + offset);
        if (address == 0) {
            throw Context.incompatible("ibv_context.ops." + name + " is null");
        }
        return Memory.function(address);
    }

    /** Only rxe has this file: it names the network interface below. The driver below is then that interface's, and says nothing. */
    private static boolean isRxe(String deviceName) {
        return Files.exists(Path.of("/sys/class/infiniband", deviceName, "parent"));
    }

    private static boolean hasUserSpaceDriver(String deviceName) {
        Path link = Path.of("/sys/class/infiniband", deviceName, "device", "driver");
        try {
            return Files.exists(link)
                    && USER_SPACE_DRIVERS.contains(
                            link.toRealPath().getFileName().toString());
        } catch (IOException e) {
            return false;
        }
    }
}
