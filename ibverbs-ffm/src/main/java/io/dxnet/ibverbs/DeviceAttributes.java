package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_device_attr;

/**
 * A device's limits ({@code struct ibv_device_attr}; {@code man ibv_query_device}). They are upper
 * bounds: one object at its limit can make another fail.
 *
 * @param firmware the firmware's version, may be empty
 * @param nodeGuid the device's GUID
 * @param maxMemoryRegionBytes the largest memory region
 * @param vendorId the vendor
 * @param vendorPartId the vendor's part
 * @param maxQueuePairs the most queue pairs
 * @param maxWorkRequests the most work requests of one queue
 * @param maxSge the most scatter/gather elements of one work request
 * @param maxCompletionQueues the most completion queues
 * @param maxCompletions the most entries of one completion queue
 * @param maxMemoryRegions the most memory regions
 * @param maxMemoryWindows the most memory windows, 0 where there are none
 * @param windows which memory windows there are
 * @param maxProtectionDomains the most protection domains
 * @param maxReadAtomic the most reads and atomics under way at one queue pair as the target
 * @param maxInitiatedReadAtomic the same as the initiator
 * @param atomics whether there are remote atomics
 * @param maxSharedReceiveQueues the most shared receive queues, 0 where there are none
 * @param maxSharedReceiveRequests the most requests of one of them
 * @param maxSharedReceiveSge the most scatter elements of one of its requests;
 *     may be less than {@code maxSge}
 * @param ports the physical ports, numbered from 1
 */
public record DeviceAttributes(
        String firmware,
        long nodeGuid,
        long maxMemoryRegionBytes,
        int vendorId,
        int vendorPartId,
        int maxQueuePairs,
        int maxWorkRequests,
        int maxSge,
        int maxCompletionQueues,
        int maxCompletions,
        int maxMemoryRegions,
        int maxMemoryWindows,
        WindowCapability windows,
        int maxProtectionDomains,
        int maxReadAtomic,
        int maxInitiatedReadAtomic,
        AtomicCapability atomics,
        int maxSharedReceiveQueues,
        int maxSharedReceiveRequests,
        int maxSharedReceiveSge,
        int ports) {
    private static final int FIRMWARE_BYTES = 64;

    /** rxe reports 2^64 - 1. */
    private static long unsigned(long value) {
        return value < 0 ? Long.MAX_VALUE : value;
    }

    static DeviceAttributes read(long at) {
        return new DeviceAttributes(
                Memory.string(at + ibv_device_attr.fw_ver$offset(), FIRMWARE_BYTES),
                Memory.getLongBigEndian(at + ibv_device_attr.node_guid$offset()),
                unsigned(Memory.getLong(at + ibv_device_attr.max_mr_size$offset())),
                Memory.getInt(at + ibv_device_attr.vendor_id$offset()),
                Memory.getInt(at + ibv_device_attr.vendor_part_id$offset()),
                Memory.getInt(at + ibv_device_attr.max_qp$offset()),
                Memory.getInt(at + ibv_device_attr.max_qp_wr$offset()),
                Memory.getInt(at + ibv_device_attr.max_sge$offset()),
                Memory.getInt(at + ibv_device_attr.max_cq$offset()),
                Memory.getInt(at + ibv_device_attr.max_cqe$offset()),
                Memory.getInt(at + ibv_device_attr.max_mr$offset()),
                Memory.getInt(at + ibv_device_attr.max_mw$offset()),
                WindowCapability.of(Memory.getInt(at + ibv_device_attr.device_cap_flags$offset())),
                Memory.getInt(at + ibv_device_attr.max_pd$offset()),
                Memory.getInt(at + ibv_device_attr.max_qp_rd_atom$offset()),
                Memory.getInt(at + ibv_device_attr.max_qp_init_rd_atom$offset()),
                AtomicCapability.of(Memory.getInt(at + ibv_device_attr.atomic_cap$offset())),
                Memory.getInt(at + ibv_device_attr.max_srq$offset()),
                Memory.getInt(at + ibv_device_attr.max_srq_wr$offset()),
                Memory.getInt(at + ibv_device_attr.max_srq_sge$offset()),
                Byte.toUnsignedInt(Memory.getByte(at + ibv_device_attr.phys_port_cnt$offset())));
    }
}
