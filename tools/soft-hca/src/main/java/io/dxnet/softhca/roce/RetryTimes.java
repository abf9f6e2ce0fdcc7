package io.dxnet.softhca.roce;

/** The times of the InfiniBand specification that a queue pair's attributes stand for. */
public final class RetryTimes {
    /**
     * In units of 10 µs, by the 5-bit code of {@code min_rnr_timer} (table
     * "Encoding for RNR NAK Timer Field").
     */
    private static final int[] NOT_READY_10US = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final long ACK_UNIT_NS = 4096;

    private RetryTimes() {}

    /**
     * {@return how long a requester waits after "receiver not ready", in nanoseconds}
     *
     * @param code the 5-bit code of {@code min_rnr_timer}
     */
    public static long notReadyNs(int code) {
        return NOT_READY_10US[code & 31] * 10_000L;
    }

    /**
     * {@return how long a requester waits for an answer, 4.096 µs times 2 to the power of
     * {@code code}, in nanoseconds; 0 stands for ever}
     *
     * @param code the 5-bit code of {@code timeout}
     */
    public static long ackNs(int code) {
        return code == 0 ? 0 : ACK_UNIT_NS << code;
    }
}
