package io.dxnet.softhca;

/** Counts what all software devices of this JVM hold, for tests that check for leaks. */
public final class SoftHca {
    /**
     * How many objects are alive, and how much memory is registered.
     *
     * @param contexts open devices
     * @param protectionDomains protection domains and parent domains
     * @param memoryRegions memory regions
     * @param memoryWindows memory windows
     * @param channels completion channels
     * @param completionQueues completion queues
     * @param sharedReceiveQueues shared receive queues
     * @param queuePairs queue pairs
     * @param addressHandles address handles
     * @param registeredBytes bytes in memory regions
     */
    public record Census(
            int contexts,
            int protectionDomains,
            int memoryRegions,
            int memoryWindows,
            int channels,
            int completionQueues,
            int sharedReceiveQueues,
            int queuePairs,
            int addressHandles,
            long registeredBytes) {}

    private static final int REMOTE =
            Ibv.IBV_ACCESS_REMOTE_WRITE | Ibv.IBV_ACCESS_REMOTE_READ | Ibv.IBV_ACCESS_REMOTE_ATOMIC;

    private SoftHca() {}

    /**
     * Counts what other devices may read, write or change with one-sided operations.
     *
     * @return memory regions and queue pairs that allow any remote access, at this moment
     */
    public static int remotelyAccessible() {
        try (var _ = Fabric.control()) {
            return Fabric.MEMORY_REGIONS
                            .all(region -> (region.access() & REMOTE) != 0)
                            .size()
                    + Fabric.QUEUE_PAIRS
                            .all(pair -> (pair.remoteAccess() & REMOTE) != 0)
                            .size();
        }
    }

    /**
     * Counts.
     *
     * @return the counts of this moment
     */
    public static Census census() {
        try (var _ = Fabric.control()) {
            return new Census(
                    Fabric.CONTEXTS.live(),
                    Fabric.PROTECTION_DOMAINS.live(),
                    Fabric.MEMORY_REGIONS.live(),
                    Fabric.MEMORY_WINDOWS.live(),
                    Fabric.CHANNELS.live(),
                    Fabric.COMPLETION_QUEUES.live(),
                    Fabric.SHARED_RECEIVE_QUEUES.live(),
                    Fabric.QUEUE_PAIRS.live(),
                    Fabric.ADDRESS_HANDLES.live(),
                    ResourceVerbs.registeredBytes());
        }
    }
}
