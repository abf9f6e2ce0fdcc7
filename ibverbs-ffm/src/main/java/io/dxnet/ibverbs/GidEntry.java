package io.dxnet.ibverbs;

/**
 * One filled entry of a port's GID table ({@code struct ibv_gid_entry};
 * {@code man ibv_query_gid_table}).
 *
 * @param gid the GID
 * @param index its place in the table, a queue pair's attribute
 * @param port the port, from 1
 * @param type what the GID stands for
 * @param interfaceIndex the network interface's index, 0 where there is none
 */
public record GidEntry(Gid gid, int index, int port, GidType type, int interfaceIndex) {}
