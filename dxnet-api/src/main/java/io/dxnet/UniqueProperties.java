package io.dxnet;

import java.util.Properties;

/** Properties of a file whose keys are all different: a line that is there twice is a mistake. */
final class UniqueProperties extends Properties {
    private static final long serialVersionUID = 1L;

    private final String prefix;

    /**
     * None yet.
     *
     * @param prefix is left out of keys that begin with it
     */
    UniqueProperties(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Called by {@link #load} for each line.
     *
     * @throws IllegalArgumentException when the key is there already
     */
    @Override
    public synchronized Object put(Object key, Object value) {
        String text = (String) key;
        Object before = super.put(text.startsWith(prefix) ? text.substring(prefix.length()) : text, value);
        if (before != null) {
            throw new IllegalArgumentException(text + " is named twice, with " + before + " and with " + value);
        }
        return value;
    }
}
