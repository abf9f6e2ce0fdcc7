package io.dxnet.transport.nio;

import io.dxnet.ConfigurationException;
import java.util.Map;
import java.util.TreeSet;

/**
 * The transport's options: the keys of {@link io.dxnet.DXNetConfig#transportOptions()} that start with {@code nio.}. Sizes take
 * the suffixes K, M and G.
 *
 * @param socketBufferBytes {@code nio.socketBufferBytes}: the kernel's send buffer of outgoing and receive buffer of incoming
 *     channels. 0 leaves them to the kernel, which grows them with the connection's bandwidth and delay; a size that is set
 *     (DXNet §VIII-A: the ring's size) turns that off and is silently cut to {@code net.core.wmem_max} and {@code rmem_max},
 *     208 KiB on most systems, less than what the kernel would grow to; 0, or 1 KiB to 1 GiB; default 0
 * @param bindAddress {@code nio.bindAddress}: the local address to listen on, a name or a number, {@code 0.0.0.0} or
 *     {@code ::} for all; the port is the node map's; default: the node map's address of this node
 * @param backlog {@code nio.backlog}: connections that the kernel keeps until they are accepted; 1 to 65535; default 1024
 * @param handshakesMax {@code nio.handshakesMax}: accepted channels whose handshake is not complete; one more drops the oldest;
 *     1 to 65535; default 256
 * @param handshakeTimeoutMs {@code nio.handshakeTimeoutMs}: the longest time that another node may take for its part of the
 *     handshake, milliseconds; 10 to 600000; default 2000
 * @param lingerMs {@code nio.lingerMs}: in an orderly close, the longest wait until the other node has read everything and
 *     closed too, milliseconds; 0 to 60000; default 1000
 */
record NioOptions(
        int socketBufferBytes,
        String bindAddress,
        int backlog,
        int handshakesMax,
        int handshakeTimeoutMs,
        int lingerMs) {
    /** What all keys start with. */
    static final String PREFIX = "nio.";

    /**
     * Reads and checks the options.
     *
     * @param options all transports' options
     * @return this transport's
     * @throws ConfigurationException naming key, value and allowed range
     */
    static NioOptions from(Map<String, String> options) {
        int socketBufferBytes = 0;
        String bindAddress = null;
        int backlog = 1024;
        int handshakesMax = 256;
        int handshakeTimeoutMs = 2000;
        int lingerMs = 1000;
        for (String key : new TreeSet<>(options.keySet())) {
            String value = options.get(key);
            switch (key) {
                case "nio.socketBufferBytes" -> {
                    socketBufferBytes = number(key, value, 0, 1 << 30);
                    if (socketBufferBytes > 0 && socketBufferBytes < 1024) {
                        throw new ConfigurationException(key + "=" + value
                                + " is not in the allowed range: 0 (left to the kernel) or 1024 to 1073741824");
                    }
                }
                case "nio.bindAddress" -> {
                    if (value.isBlank()) {
                        throw new ConfigurationException(
                                key + " is empty: allowed are a host name or a numeric address");
                    }
                    bindAddress = value.strip();
                }
                case "nio.backlog" -> backlog = number(key, value, 1, 65535);
                case "nio.handshakesMax" -> handshakesMax = number(key, value, 1, 65535);
                case "nio.handshakeTimeoutMs" -> handshakeTimeoutMs = number(key, value, 10, 600000);
                case "nio.lingerMs" -> lingerMs = number(key, value, 0, 60000);
                default -> {
                    if (key.startsWith(PREFIX)) {
                        throw new ConfigurationException(key + "=" + value + ": there is no such key; allowed are"
                                + " nio.socketBufferBytes, nio.bindAddress, nio.backlog, nio.handshakesMax,"
                                + " nio.handshakeTimeoutMs and nio.lingerMs");
                    }
                }
            }
        }
        return new NioOptions(socketBufferBytes, bindAddress, backlog, handshakesMax, handshakeTimeoutMs, lingerMs);
    }

    private static int number(String key, String text, int min, int max) {
        String digits = text.strip();
        int shift = digits.isEmpty()
                ? 0
                : switch (digits.charAt(digits.length() - 1)) {
                    case 'K', 'k' -> 10;
                    case 'M', 'm' -> 20;
                    case 'G', 'g' -> 30;
                    default -> 0;
                };
        long value;
        try {
            value = Math.multiplyExact(
                    Long.parseLong(shift == 0 ? digits : digits.substring(0, digits.length() - 1)), 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new ConfigurationException(key + "=" + text + " is not a whole number (with K, M or G for sizes)", e);
        }
        if (value < min || value > max) {
            throw new ConfigurationException(key + "=" + text + " is not in the allowed range " + min + " to " + max);
        }
        return (int) value;
    }
}
