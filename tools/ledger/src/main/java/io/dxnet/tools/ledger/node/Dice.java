package io.dxnet.tools.ledger.node;

import io.dxnet.tools.ledger.book.Kind;
import java.util.Random;

/** What a lane sends next: all of it follows from the seed. One thread. */
final class Dice {
    private static final Kind[] MESSAGES = {
        Kind.ORDERED, Kind.ORDERED, Kind.ORDERED, Kind.REUSED, Kind.LOOSE, Kind.VALUE
    };
    private static final int BURST_MAX = 60;

    private final Random random;
    private final int node;
    private final int nodes;

    Dice(long seed, int node, int nodes) {
        this.random = new Random(seed);
        this.node = node;
        this.nodes = nodes;
    }

    int receiver() {
        int other = random.nextInt(nodes - 1);
        return other < node ? other : other + 1;
    }

    int burst() {
        return 1 + random.nextInt(BURST_MAX);
    }

    /** One of {@code outOf}. */
    boolean oneOf(int outOf) {
        return random.nextInt(outOf) == 0;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** 4 % are empty. */
    Kind kind() {
        return random.nextInt(25) == 0 ? Kind.EMPTY : MESSAGES[random.nextInt(MESSAGES.length)];
    }

    int bytes(Kind kind) {
        return kind == Kind.EMPTY ? 0 : bytes();
    }

    /**
     * Mostly 16 to 216 bytes, one of 100 60,000, one of 1,000 up to
     * 300,000, one of 10,000 up to 8 MiB.
     */
    int bytes() {
        int choice = random.nextInt(10_000);
        if (choice == 0) {
            return Payload.BYTES_MIN + random.nextInt(Payload.BYTES_MAX - Payload.BYTES_MIN + 1);
        }
        if (choice <= 10) {
            return Payload.BYTES_MIN + random.nextInt(300_000);
        }
        return choice <= 110 ? 60_000 : smallBytes();
    }

    int smallBytes() {
        return Payload.BYTES_MIN + random.nextInt(201);
    }
}
