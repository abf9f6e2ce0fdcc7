package io.dxnet.tools.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How a client gets a record. */
enum Gets {
    /** A request, which a message handler of the storage node answers. */
    MESSAGES,
    /** From the memory that the storage node shares, by a message only where that fails. */
    MEMORY;

    /**
     * Reads a list.
     *
     * @param text names, separated by commas
     * @return each once, in the order of this enum
     * @throws IllegalArgumentException for anything else
     */
    static List<Gets> parse(String text) {
        List<Gets> wanted = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            wanted.add(one(name.strip()));
        }
        return List.of(values()).stream().filter(wanted::contains).toList();
    }

    private static Gets one(String name) {
        for (Gets each : values()) {
            if (each.toString().equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("gets are by messages or by memory, not '" + name + "'");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
