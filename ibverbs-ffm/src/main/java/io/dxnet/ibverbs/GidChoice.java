package io.dxnet.ibverbs;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Chooses one entry of a GID table, by type and address. An index must not be stored: it differs
 * between machines, and changes when addresses are added or removed.
 */
public final class GidChoice {
    private GidChoice() {}

    /**
     * Chooses the entry that reaches furthest. The order: RoCE v2 before InfiniBand
     * before RoCE v1; with a network interface before without; an IPv4 address
     * before an IPv6 address before a link-local one; then the lowest index.
     *
     * @param entries the filled entries of one port
     * @return the best of them
     * @throws NoSuchElementException if there is none
     */
    public static GidEntry best(List<GidEntry> entries) {
        return entries.stream()
                .filter(e -> !e.gid().isZero())
                .min(Comparator.comparingInt(GidChoice::typeRank)
                        .thenComparing(e -> e.interfaceIndex() == 0)
                        .thenComparingInt(GidChoice::addressRank)
                        .thenComparingInt(GidEntry::index))
                .orElseThrow(() -> new NoSuchElementException(
                        "the port's GID table is empty: add an address to its network interface"));
    }

    /**
     * Finds the entry of an address, RoCE v2 first.
     *
     * @param entries the filled entries of one port
     * @param address an address of the port's network interface
     * @return its entry
     * @throws NoSuchElementException if no entry has the address; the message lists those there are
     */
    public static GidEntry of(List<GidEntry> entries, InetAddress address) {
        Gid wanted = Gid.of(address);
        return entries.stream()
                .filter(e -> e.gid().equals(wanted))
                .min(Comparator.comparingInt(GidChoice::typeRank).thenComparingInt(GidEntry::index))
                .orElseThrow(
                        () -> new NoSuchElementException("no GID for " + address.getHostAddress() + "; the port has "
                                + entries.stream()
                                        .map(e -> e.gid().toString())
                                        .distinct()
                                        .toList()));
    }

    private static int typeRank(GidEntry entry) {
        return switch (entry.type()) {
            case ROCE_V2 -> 0;
            case IB -> 1;
            case ROCE_V1 -> 2;
            case UNKNOWN -> 3;
        };
    }

    private static int addressRank(GidEntry entry) {
        return entry.gid().isIpv4Mapped() ? 0 : entry.gid().isLinkLocal() ? 2 : 1;
    }
}
