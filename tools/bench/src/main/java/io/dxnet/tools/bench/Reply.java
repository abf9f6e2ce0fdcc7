package io.dxnet.tools.bench;

/**
 * What a node replies to a command.
 *
 * @param ok whether it could be done
 * @param values numbers, whose meaning depends on the command
 * @param text the description of the node, or of the failure
 * @param histogram encoded round-trip times, or empty
 */
record Reply(boolean ok, long[] values, String text, byte[] histogram) {
    private static final long[] NO_VALUES = {};
    private static final byte[] NO_BYTES = {};

    static Reply done() {
        return new Reply(true, NO_VALUES, "", NO_BYTES);
    }

    static Reply done(String text, long... values) {
        return new Reply(true, values, text, NO_BYTES);
    }

    static Reply failed(String why) {
        return new Reply(false, NO_VALUES, why, NO_BYTES);
    }
}
