package io.dxnet.tools.bench;

import java.util.Locale;

/** How messages are made and received. */
enum Api {
    /** Message classes; a new object for each message that is received. */
    MESSAGES,
    /** Message classes; one object for each handler thread. */
    REUSABLE,
    /** Records with derived codecs. */
    RECORDS;

    static Api parse(String name) {
        try {
            return valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--api " + name + ": allowed are messages, reusable and records", e);
        }
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
