package io.dxnet.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.function.UnaryOperator;

/**
 * Two byte channels that are connected, with an attacker between them: limits, cuts and changes.
 * One thread.
 */
final class MemoryLink {
    static final int CAPACITY = 256 << 10;

    /** One direction. */
    static final class Direction {
        private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY); // in write mode
        private long passed;
        /** The most bytes of one call. */
        int step = Integer.MAX_VALUE;
        /** After so many bytes nothing comes any more: the channel is cut. */
        long cutAt = Long.MAX_VALUE;
        /** Room for so many bytes. */
        int room = CAPACITY;
        /** Changes bytes on their way. */
        UnaryOperator<byte[]> attacker = bytes -> bytes;

        int write(ByteBuffer source) {
            int count = Math.min(Math.min(step, source.remaining()), room - bytes.position());
            byte[] each = new byte[Math.max(count, 0)];
            source.get(each);
            put(attacker.apply(each));
            return each.length;
        }

        void put(byte[] some) {
            bytes.put(some);
        }

        int read(ByteBuffer target) {
            bytes.flip();
            int count = (int) Math.min(Math.min(step, cutAt - passed), Math.min(target.remaining(), bytes.remaining()));
            target.put(bytes.slice(0, count));
            bytes.position(count);
            bytes.compact();
            passed += count;
            return count == 0 && passed >= cutAt ? -1 : count;
        }

        long passed() {
            return passed;
        }

        int waiting() {
            return bytes.position();
        }
    }

    final Direction there = new Direction();
    final Direction back = new Direction();

    ByteChannel near() {
        return channel(back, there);
    }

    ByteChannel far() {
        return channel(there, back);
    }

    private static ByteChannel channel(Direction in, Direction out) {
        return new ByteChannel() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                return in.read(target);
            }

            @Override
            public int write(ByteBuffer source) throws IOException {
                return out.write(source);
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {
                // nothing to free
            }
        };
    }
}
