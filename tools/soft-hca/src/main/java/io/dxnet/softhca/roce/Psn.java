package io.dxnet.softhca.roce;

/**
 * Packet sequence numbers. On the wire they have 24 bits and wrap; the machines count them in a
 * {@code long}, which does not.
 */
public final class Psn {
    /** The bits of a number on the wire. */
    public static final int MASK = 0xff_ffff;

    private static final int SHIFT = 8;

    private Psn() {}

    /**
     * {@return the number on the wire that stands for a counted one}
     *
     * @param counted the counted number
     */
    public static int onWire(long counted) {
        return (int) counted & MASK;
    }

    /**
     * {@return the counted number that is nearest to another and looks like this on the wire}
     *
     * @param wire 24 bits
     * @param near a counted number, at most 2^23 away
     */
    public static long counted(int wire, long near) {
        return near + (((wire - (int) near) << SHIFT) >> SHIFT);
    }
}
