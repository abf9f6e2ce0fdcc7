package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Sending and verifying streams. */
final class Streams {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private Streams() {}

    /** Sends bytes in random pieces up to pieceMax, sometimes by itself, sometimes by the agent. */
    static void send(FakeNode node, FakeConnection connection, long bytes, int pieceMax, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long left = bytes;
        while (left > 0) {
            int piece = (int) Math.min(left, random.nextInt(1, pieceMax + 1));
            long endNs = System.nanoTime() + TIMEOUT_NS;
            while (!connection.trySend(piece)) {
                if (System.nanoTime() - endNs > 0) {
                    throw new AssertionError("stuck with " + left + " bytes to send; sent " + connection.sent()
                            + ", pending " + connection.ring().pending());
                }
                Thread.onSpinWait();
            }
            left -= piece;
            if (random.nextInt(4) == 0) {
                node.transport().sendNow(connection);
            } else {
                node.transport().dataPosted(connection);
            }
        }
    }

    static Thread sending(FakeNode node, FakeConnection connection, long bytes, int pieceMax, long seed) {
        Thread thread = new Thread(() -> send(node, connection, bytes, pieceMax, seed));
        thread.setUncaughtExceptionHandler((t, e) -> node.errors.add(e.toString()));
        thread.start();
        return thread;
    }

    static void awaitReceived(FakeConnection connection, long bytes) {
        until("received " + bytes + " bytes", () -> connection.received() >= bytes || connection.corruptAt() >= 0);
        assertThat(connection.corruptAt()).as("first wrong byte").isEqualTo(-1);
        assertThat(connection.received()).isEqualTo(bytes);
    }

    static void until(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("not within 30 s: " + what);
            }
            LockSupport.parkNanos(100_000); // paced polling, not synchronisation
        }
    }
}
