package io.dxnet.runtime.wire;

import io.dxnet.Codec;
import io.dxnet.MessageFormatException;
import io.dxnet.tools.fuzz.FuzzTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Every operation of the importer on any payload. The outcome is the same wherever the payload is
 * cut, and what was read is written and read again.
 */
public final class ImporterTarget implements FuzzTarget {
    /** What was read, and the error that ended it; null: none. */
    private record Outcome(List<Script.Item> items, String error) {}

    /** Creates the target. */
    public ImporterTarget() {}

    @Override
    public String name() {
        return "importer";
    }

    /** For each operation a few items: none, short, long, null, and broken ones. */
    @Override
    public List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int operation = 0; operation < Script.operations(); operation++) {
            for (int first : new int[] {0, 1, 2, 8, 0x7F, 0xFF}) {
                byte[] seed = new byte[40];
                for (int i = 0; i < seed.length; i++) {
                    seed[i] = (byte) (i & 1);
                }
                seed[0] = (byte) operation;
                seed[1] = (byte) first;
                seeds.add(seed);
            }
        }
        byte[] nested = new byte[Codec.NESTING_MAX + 100];
        Arrays.fill(nested, (byte) 21);
        seeds.add(nested);
        seeds.add(new byte[] {10, 8, (byte) 0xE2, (byte) 0x82, (byte) 0xAC, (byte) 0xFF});
        seeds.add(new byte[] {12, -1, -1, -1, -1, 15});
        return seeds;
    }

    @Override
    public void run(byte[] input) {
        Random random = new Random(Arrays.hashCode(input));
        Outcome whole = read(input, Pieces.Cut.WHOLE, random);
        for (Pieces.Cut cut : Pieces.Cut.values()) {
            Outcome outcome = read(input, cut, random);
            if (!Script.isSame(whole.items(), outcome.items())
                    || !java.util.Objects.equals(whole.error(), outcome.error())) {
                throw new AssertionError("cut " + cut + " it is " + outcome + ", else " + whole);
            }
        }
        if (whole.error() == null) {
            writeAndReadAgain(whole, input.length, random);
        }
    }

    private static Outcome read(byte[] input, Pieces.Cut cut, Random random) {
        Pieces.In in = new Pieces(input, false).in(cut, random);
        Script script = new Script();
        try {
            script.importObject(in);
            return new Outcome(script.items, null);
        } catch (MessageFormatException e) { // as documented
            if (in.remaining() < 0) {
                throw new AssertionError("it read beyond the end", e);
            }
            return new Outcome(script.items, e.getMessage());
        }
    }

    private static void writeAndReadAgain(Outcome outcome, int inputBytes, Random random) {
        // A byte that is not UTF-8 becomes a replacement character of
        // three; a zero compact number of several bytes becomes one.
        Pieces memory = new Pieces(3 * inputBytes + 16, false);
        Pieces.Out out = memory.out(Pieces.Cut.RANDOM, random);
        Script written = new Script();
        written.items.addAll(outcome.items());
        written.exportObject(out);
        Outcome again = read(Arrays.copyOf(memory.content(), out.written()), Pieces.Cut.RANDOM, random);
        if (again.error() != null || !Script.isSame(outcome.items(), again.items())) {
            throw new AssertionError(outcome + " became " + again);
        }
    }

    @Override
    public long allocationBytesMax(int inputBytes) {
        // Pieces of one byte, five times; see StreamTarget for the engine's own.
        return (1L << 20) + 4096L * inputBytes;
    }

    @Override
    public int inputBytesMax() {
        return Codec.NESTING_MAX + 200;
    }
}
