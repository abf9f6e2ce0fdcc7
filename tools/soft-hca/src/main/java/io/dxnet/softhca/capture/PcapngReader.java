package io.dxnet.softhca.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of Wireshark: blocks in sections, each section in an order of bytes of its own.
 *
 * <pre>
 *  block:     type, total length (a multiple of 4), body, total length again
 *  section:   0a0d0d0a: order 1a2b3c4d, version, length, options
 *  interface: 1: link type (2 bytes), 2 bytes 0, longest packet, options: 9 is the unit of time
 *  packet:    6: interface, time (high, low), captured bytes, original bytes, the captured bytes
 *  packet:    3: original bytes, the captured bytes; of the first interface, without a time
 * </pre>
 *
 * <p>Other blocks are skipped.
 */
final class PcapngReader extends CaptureReader {
    /** The type of the first block, the same in both orders. */
    static final int SECTION = 0x0a0d0d0a;

    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int PACKET = 6;
    private static final int ORDER = 0x1a2b3c4d;

    /** A block's type and lengths. */
    private static final int BLOCK_MIN = 12;

    private static final int SECTION_MIN = 28;
    private static final int BLOCK_MAX = 1 << 24;
    private static final int INTERFACE_BODY_MIN = 8;
    private static final int PACKET_BODY_MIN = 20;
    private static final int OPTION_UNIT = 9;
    private static final int INTERFACES_MAX = 1 << 12;
    private static final long MICROSECONDS = 1_000_000;
    private static final double SECOND_NS = 1e9;
    private static final int DIGITS_MAX = 18;
    private static final int BITS_MAX = 62;

    /** An interface of a section; the unit of its times is a part of a second. */
    private record Source(int linkType, int longest, long unitsPerSecond) {}

    private final CaptureInput in;
    private final List<Source> sources = new ArrayList<>();

    /** The type of the first section has been read. */
    PcapngReader(CaptureInput in) throws IOException {
        this.in = in;
        readSection();
    }

    @Override
    public Frame next() throws IOException {
        while (true) {
            long at = in.position();
            ByteBuffer type = in.nextOrEnd(Integer.BYTES);
            if (type == null) {
                return null;
            }
            int kind = type.getInt();
            if (kind == SECTION) {
                readSection();
                continue;
            }
            ByteBuffer body = readBody(at);
            if (kind == INTERFACE) {
                readInterface(body, at);
            } else if (kind == PACKET) {
                return packet(body, at);
            } else if (kind == SIMPLE_PACKET) {
                return simplePacket(body, at);
            }
        }
    }

    private void readSection() throws IOException {
        long at = in.position() - Integer.BYTES;
        in.order(ByteOrder.BIG_ENDIAN);
        ByteBuffer start = in.next(2 * Integer.BYTES);
        int order = start.getInt(Integer.BYTES);
        if (order == Integer.reverseBytes(ORDER)) {
            in.order(ByteOrder.LITTLE_ENDIAN);
        } else if (order != ORDER) {
            throw damaged(at, "a section whose order of bytes is %08x".formatted(order));
        }
        int length = start.order(in.order()).getInt(0);
        checkLength(at, length, SECTION_MIN);
        in.next(length - BLOCK_MIN);
        sources.clear();
    }

    /** What is between a block's lengths. */
    private ByteBuffer readBody(long at) throws IOException {
        int length = in.next(Integer.BYTES).getInt();
        checkLength(at, length, BLOCK_MIN);
        ByteBuffer rest = in.next(length - 2 * Integer.BYTES);
        int again = rest.getInt(rest.limit() - Integer.BYTES);
        if (again != length) {
            throw damaged(at, "a block with the lengths " + length + " and " + again);
        }
        return rest.limit(rest.limit() - Integer.BYTES);
    }

    private static void checkLength(long at, int length, int min) throws CaptureException {
        if (length < min || length > BLOCK_MAX || length % Integer.BYTES != 0) {
            throw damaged(at, "a block of " + Integer.toUnsignedString(length) + " bytes");
        }
    }

    private static CaptureException damaged(long at, String what) {
        return new CaptureException("the capture is damaged: " + what + " at byte " + at);
    }

    private void readInterface(ByteBuffer body, long at) throws CaptureException {
        if (body.remaining() < INTERFACE_BODY_MIN || sources.size() == INTERFACES_MAX) {
            throw damaged(at, "an interface too many or too short");
        }
        int linkType = Short.toUnsignedInt(body.getShort());
        body.getShort();
        int longest = body.getInt();
        sources.add(new Source(linkType, longest, unitsPerSecond(body)));
    }

    /** The unit of time among an interface's options: microseconds where none names it. */
    private static long unitsPerSecond(ByteBuffer options) {
        while (options.remaining() >= Integer.BYTES) {
            int code = Short.toUnsignedInt(options.getShort());
            int length = Short.toUnsignedInt(options.getShort());
            if (code == 0 || length > options.remaining()) {
                break;
            }
            if (code == OPTION_UNIT && length >= 1) {
                return unitsPerSecond(options.get(options.position()));
            }
            int padded = length + 3 & ~3;
            options.position(options.position() + Math.min(padded, options.remaining()));
        }
        return MICROSECONDS;
    }

    /** A power of 10, or with the highest bit set a power of 2. */
    private static long unitsPerSecond(byte exponent) {
        if (exponent < 0) {
            return 1L << Math.min(exponent & 0x7f, BITS_MAX);
        }
        long units = 1;
        for (int i = 0; i < Math.min(exponent, DIGITS_MAX); i++) {
            units *= 10;
        }
        return units;
    }

    private Frame packet(ByteBuffer body, long at) throws CaptureException {
        if (body.remaining() < PACKET_BODY_MIN) {
            throw damaged(at, "a packet's block without a packet");
        }
        int index = body.getInt();
        long time = Integer.toUnsignedLong(body.getInt()) << Integer.SIZE | Integer.toUnsignedLong(body.getInt());
        int captured = body.getInt();
        int original = body.getInt();
        Source source = source(index, at);
        return new Frame(
                nanoseconds(time, source.unitsPerSecond()), source.linkType(), bytes(body, captured, at), original);
    }

    private static long nanoseconds(long time, long units) {
        long seconds = Long.divideUnsigned(time, units);
        long rest = Long.remainderUnsigned(time, units);
        return seconds * (long) SECOND_NS + (long) (rest * (SECOND_NS / units));
    }

    private Frame simplePacket(ByteBuffer body, long at) throws CaptureException {
        if (body.remaining() < Integer.BYTES) {
            throw damaged(at, "a packet's block without a packet");
        }
        Source source = source(0, at);
        int original = body.getInt();
        int captured = original;
        if (source.longest() != 0 && Integer.compareUnsigned(original, source.longest()) > 0) {
            captured = source.longest();
        }
        return new Frame(0, source.linkType(), bytes(body, captured, at), original);
    }

    private Source source(int index, long at) throws CaptureException {
        if (index < 0 || index >= sources.size()) {
            throw damaged(
                    at, "a packet of interface " + Integer.toUnsignedString(index) + ", which was not described,");
        }
        return sources.get(index);
    }

    private static byte[] bytes(ByteBuffer body, int count, long at) throws CaptureException {
        if (count < 0 || count > body.remaining() || count > FRAME_MAX) {
            throw damaged(
                    at,
                    "a packet of " + Integer.toUnsignedString(count) + " bytes in a block with " + body.remaining());
        }
        byte[] bytes = new byte[count];
        body.get(bytes);
        return bytes;
    }
}
