package io.dxnet.ibverbs;

/**
 * Something happened at the device ({@code struct ibv_async_event};
 * {@code man ibv_get_async_event}).
 *
 * @param type what happened
 * @param code the number of the C interface, also where the type is unknown
 * @param resource the queue pair, completion queue or shared receive queue it happened to; null for
 *     events of a port or the device, and where the object is closed by now
 * @param port the port it happened to, 0 for events of other things
 */
public record AsyncEvent(AsyncEventType type, int code, Resource resource, int port) {}
