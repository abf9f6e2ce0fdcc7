package io.dxnet.transport.shared;

import io.dxnet.ConfigurationException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One transport's options: the keys of {@link io.dxnet.DXNetConfig#transportOptions()}
 * that start with its name and a dot. Ask for each by its name without that prefix,
 * then call {@link #rejectOthers}. One thread.
 */
public final class TransportOptions {
    private final String prefix;
    private final Map<String, String> options;
    private final Set<String> known = new LinkedHashSet<>(); // what was asked for, in that order

    /**
     * Selects the options of one transport.
     *
     * @param transport its name
     * @param options all transports' options
     */
    public TransportOptions(String transport, Map<String, String> options) {
        this.prefix = transport + ".";
        this.options = options;
    }

    /**
     * A whole number that is an int.
     *
     * @param name without prefix
     * @param byDefault when it is not set
     * @param min the smallest allowed
     * @param max the largest allowed
     * @return the number
     * @throws ConfigurationException naming key, value and allowed range
     */
    public int number(String name, int byDefault, int min, int max) {
        return (int) number(name, (long) byDefault, min, max);
    }

    /**
     * A whole number; the suffixes K, M and G stand for 2^10, 2^20 and 2^30, but not of a time,
     * whose name ends with its unit.
     *
     * @param name without prefix
     * @param byDefault when it is not set
     * @param min the smallest allowed
     * @param max the largest allowed
     * @return the number
     * @throws ConfigurationException naming key, value and allowed range
     */
    public long number(String name, long byDefault, long min, long max) {
        String text = value(name);
        if (text == null) {
            return byDefault;
        }
        String digits = text.strip();
        boolean isTime = name.endsWith("Ms") || name.endsWith("Us");
        int shift = digits.isEmpty() || isTime
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
            throw new ConfigurationException(
                    prefix + name + "=" + text + " is not a whole number"
                            + (isTime ? "" : " (with K, M or G for sizes)"),
                    e);
        }
        if (value < min || value > max) {
            throw notAllowed(name, min + " to " + max);
        }
        return value;
    }

    /**
     * Reads a text.
     *
     * @param name without prefix
     * @param byDefault when it is not set; null is possible
     * @param allowed what it may be, in words
     * @return the text without white space around it
     * @throws ConfigurationException when it is empty
     */
    public @Nullable String text(String name, @Nullable String byDefault, String allowed) {
        String text = value(name);
        if (text == null) {
            return byDefault;
        }
        if (text.isBlank()) {
            throw new ConfigurationException(prefix + name + " is empty: allowed are " + allowed);
        }
        return text.strip();
    }

    /**
     * Makes the error of a check that is the transport's own.
     *
     * @param name of an option that is set, without prefix
     * @param range what is allowed, in words
     * @return to be thrown, naming key, value and range
     */
    public ConfigurationException notAllowed(String name, String range) {
        return new ConfigurationException(
                prefix + name + "=" + options.get(prefix + name) + " is not in the allowed range " + range);
    }

    private @Nullable String value(String name) {
        known.add(prefix + name);
        return options.get(prefix + name);
    }

    /**
     * Rejects keys of this transport that it did not ask for.
     *
     * @throws ConfigurationException naming the key and those that exist
     */
    public void rejectOthers() {
        for (String key : new TreeSet<>(options.keySet())) {
            if (key.startsWith(prefix) && !known.contains(key)) {
                String all = String.join(", ", known);
                int last = all.lastIndexOf(", ");
                throw new ConfigurationException(key + "=" + options.get(key) + ": there is no such key; allowed are "
                        + (last < 0 ? all : all.substring(0, last) + " and " + all.substring(last + 2)));
            }
        }
    }
}
