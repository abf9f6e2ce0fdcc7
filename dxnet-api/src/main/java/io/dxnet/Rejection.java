package io.dxnet;

/**
 * Messages of one type that another node received and could not pass to a handler: the type or
 * its handler is not registered there, their bytes are not those of the type as it is known
 * there, or an executor refused them.
 *
 * @param nodeId the node that received them
 * @param typeId their type, 0 to 65535: {@link MessageType#id()}, or
 *     {@code 256 * subtype + type} of {@link Message}
 * @param count how many, at least 1
 * @param reason why, of the last of them, in words
 */
public record Rejection(int nodeId, int typeId, long count, String reason) {}
