package io.dxnet.tools.report;

import java.util.List;
import java.util.TreeSet;

/**
 * Parses the payload sizes of {@code --size}: {@code 64},
 * {@code 1..1M} (powers of two), {@code 1,100,8K..1M}.
 */
public final class Sizes {
    /** The largest payload: DXNet's own limit (2 GiB less 1 KiB). */
    public static final long BYTES_MAX = 2147482624L;

    private Sizes() {}

    /**
     * Parses a list of sizes.
     *
     * @param text as typed
     * @return the sizes in ascending order, each once
     * @throws IllegalArgumentException when it is no list of sizes
     */
    public static List<Integer> parse(String text) {
        TreeSet<Integer> sizes = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf("..");
            if (dots < 0) {
                sizes.add(one(part, text));
            } else {
                addPowersOfTwo(one(part.substring(0, dots), text), one(part.substring(dots + 2), text), sizes);
            }
        }
        return List.copyOf(sizes);
    }

    /**
     * Parses one size.
     *
     * @param text a number with an optional suffix K, M or G
     * @return bytes
     * @throws IllegalArgumentException when it is no size
     */
    public static long bytes(String text) {
        String stripped = text.strip();
        if (stripped.isEmpty()) {
            throw new IllegalArgumentException("a size is missing");
        }
        int shift = switch (Character.toUpperCase(stripped.charAt(stripped.length() - 1))) {
            case 'K' -> 10;
            case 'M' -> 20;
            case 'G' -> 30;
            default -> 0;
        };
        String digits = shift == 0 ? stripped : stripped.substring(0, stripped.length() - 1);
        try {
            return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size: a whole number, with K, M or G after it", e);
        }
    }

    /**
     * Writes a size as it would be typed: 64, 4K, 1M.
     *
     * @param bytes the size
     * @return text
     */
    public static String format(long bytes) {
        for (int shift = 30; shift > 0; shift -= 10) {
            if (bytes >= 1L << shift && bytes % (1L << shift) == 0) {
                return (bytes >> shift)
                        + switch (shift) {
                            case 30 -> "G";
                            case 20 -> "M";
                            default -> "K";
                        };
            }
        }
        return Long.toString(bytes);
    }

    private static void addPowersOfTwo(int first, int last, TreeSet<Integer> into) {
        if (first > last) {
            throw new IllegalArgumentException("size range " + first + ".." + last + " runs backwards");
        }
        into.add(first);
        for (long size = Long.highestOneBit(first); size <= last; size *= 2) {
            if (size >= first) {
                into.add((int) size);
            }
        }
        into.add(last);
    }

    private static int one(String part, String text) {
        long bytes = bytes(part);
        if (bytes < 1 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException("size " + part + " in '" + text + "' is not in 1.." + BYTES_MAX);
        }
        return (int) bytes;
    }
}
