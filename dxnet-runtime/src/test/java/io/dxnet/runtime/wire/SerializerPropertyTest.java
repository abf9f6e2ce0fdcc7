package io.dxnet.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.MessagingUsageException;
import io.dxnet.runtime.wire.Item.Tree;
import io.dxnet.runtime.wire.Pieces.Cut;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random object graphs through pieces cut at random places. A failure names its seed:
 * {@code -Ddxnet.test.seed=<seed>} repeats it, {@code -Ddxnet.test.rounds=<n>}
 * asks for more of them.
 */
class SerializerPropertyTest {
    private static final String SEED = "dxnet.test.seed";
    private static final int ROUNDS = Integer.getInteger("dxnet.test.rounds", 400);
    private static final int BYTES_MAX = 4 << 20;
    private static final int HOSTILE_BYTES_MAX = 4096;

    interface Round {
        void run(Random random) throws Exception;
    }

    /** Runs a round with many seeds, or with the one that was asked for. */
    private static void rounds(int count, Round round) {
        Long asked = Long.getLong(SEED);
        long first = asked != null ? asked : new Random().nextLong();
        for (int i = 0; i < (asked != null ? 1 : count); i++) {
            long seed = first + i;
            try {
                round.run(new Random(seed));
            } catch (Throwable e) {
                throw new AssertionError("failed with seed " + seed + "; repeat with -D" + SEED + "=" + seed, e);
            }
        }
    }

    /** Sizes of every magnitude, the largest now and then. */
    private static int randomSize(Random random, int bytesMax) {
        int bits = random.nextInt(Integer.SIZE - Integer.numberOfLeadingZeros(bytesMax));
        return random.nextInt(20) == 0 ? random.nextInt(bytesMax + 1) : random.nextInt(1 << bits);
    }

    private static Cut randomCut(Random random) {
        return Cut.values()[random.nextInt(Cut.values().length)];
    }

    private static Pieces export(Tree tree, Random random) {
        Pieces pieces = new Pieces(tree.sizeOfObject(), random.nextBoolean());
        Pieces.Out out = pieces.out(randomCut(random), random);
        tree.exportObject(out);
        assertThat(out.written()).as("bytes written and sizeOfObject").isEqualTo(tree.sizeOfObject());
        return pieces;
    }

    @Test
    void shouldReadEqualObjectsWhenPiecesAreCutAnywhere() {
        rounds(ROUNDS, random -> {
            Tree tree = Tree.random(random, randomSize(random, BYTES_MAX), 5);
            Pieces pieces = export(tree, random);
            if (random.nextBoolean()) {
                pieces = new Pieces(pieces.content(), random.nextBoolean());
            }
            Pieces.In in = pieces.in(randomCut(random), random);
            Tree read = new Tree();
            read.importObject(in);
            assertThat(in.remaining()).isZero();
            assertThat(read.equals(tree)).as("what was read equals %s", tree).isTrue();
        });
    }

    @Test
    void shouldReadEqualObjectsWhenTheGraphIsAsLargeAsItGets() {
        for (Cut cut : Cut.values()) {
            rounds(1, random -> {
                Tree tree = Tree.random(random, BYTES_MAX, 5);
                assertThat(tree.sizeOfObject()).isGreaterThan(BYTES_MAX - 64);
                Pieces pieces = new Pieces(tree.sizeOfObject(), true);
                tree.exportObject(pieces.out(cut, random));
                Tree read = new Tree();
                read.importObject(pieces.in(cut, random));
                assertThat(read.equals(tree)).as("%s", tree).isTrue();
            });
        }
    }

    @Test
    void shouldWriteTheSameBytesWhateverTheCuts() {
        rounds(ROUNDS / 4, random -> {
            Tree tree = Tree.random(random, randomSize(random, 64 << 10), 3);
            byte[] expected = export(tree, random).content();
            for (Cut cut : Cut.values()) {
                Pieces pieces = new Pieces(expected.length, random.nextBoolean());
                tree.exportObject(pieces.out(cut, random));
                assertThat(pieces.content()).isEqualTo(expected);
            }
        });
    }

    @Test
    void shouldThrowWhenTheMessageIsLongerThanAnnounced() {
        rounds(ROUNDS / 4, random -> {
            Tree tree = Tree.random(random, 6 + randomSize(random, 4096), 3);
            Pieces pieces = new Pieces(random.nextInt(tree.sizeOfObject()), random.nextBoolean());
            Pieces.Out out = pieces.out(randomCut(random), random);
            try {
                tree.exportObject(out);
                throw new AssertionError("wrote more than there is");
            } catch (MessagingUsageException e) {
                assertThat(out.written()).isLessThanOrEqualTo(pieces.content().length);
            }
        });
    }

    /** A new method of the interfaces without a kind of item here would not be tested. */
    @Test
    void shouldUseEveryMethodOfExporterAndImporter() {
        Set<String> written = new TreeSet<>();
        Set<String> read = new TreeSet<>();
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            Tree tree = Tree.random(random, 4096, 2);
            Pieces pieces = new Pieces(tree.sizeOfObject(), true);
            tree.exportObject(recording(Exporter.class, pieces.out(Cut.WHOLE, random), written));
            new Tree().importObject(recording(Importer.class, pieces.in(Cut.WHOLE, random), read));
        }
        assertThat(written).isEqualTo(methods(Exporter.class));
        assertThat(read).isEqualTo(methods(Importer.class));
    }

    private static Set<String> methods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .map(SerializerPropertyTest::signature)
                .collect(Collectors.toSet());
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    /**
     * Notes what is called. Nested objects get the real one, which is enough:
     * they are made of the same items.
     */
    private static <T> T recording(Class<T> type, T target, Set<String> called) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            called.add(signature(method));
            if (method.getName().equals("readObject")) {
                // What its default method calls.
                called.add("readObject[interface io.dxnet.Importable]");
            }
            try {
                return method.invoke(target, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    // ---------------------------------------------------------------- hostile input

    private static void readHostile(byte[] bytes, Random random) {
        Pieces.In in = new Pieces(bytes, random.nextBoolean()).in(randomCut(random), random);
        try {
            while (in.remaining() > 0) {
                new Tree().importObject(in);
            }
        } catch (MessageFormatException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        assertThat(in.remaining()).isBetween(0, bytes.length);
    }

    @Test
    void shouldThrowNothingElseWhenBytesAreRandom() {
        rounds(ROUNDS * 10, random -> {
            byte[] bytes = new byte[randomSize(random, HOSTILE_BYTES_MAX)];
            random.nextBytes(bytes);
            readHostile(bytes, random);
        });
    }

    /**
     * Every reading method alone, on any bytes: a tree of random bytes soon ends
     * at an unknown kind.
     */
    @Test
    void shouldThrowNothingElseWhenEachItemIsReadFromRandomBytes() {
        rounds(ROUNDS, random -> {
            for (Item.Kind<?> kind : Item.KINDS) {
                byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 12 : 300)];
                random.nextBytes(bytes);
                if (random.nextInt(4) == 0) {
                    Arrays.fill(bytes, 0, Math.min(bytes.length, random.nextInt(12)), (byte) 0xFF);
                }
                Pieces.In in = new Pieces(bytes, random.nextBoolean()).in(randomCut(random), random);
                try {
                    kind.reader().read(in);
                } catch (MessageFormatException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
                assertThat(in.remaining()).as("%s", kind).isBetween(0, bytes.length);
            }
        });
    }

    @Test
    void shouldThrowWhenTheMessageIsTruncated() {
        rounds(ROUNDS, random -> {
            Tree tree = Tree.random(random, 6 + randomSize(random, HOSTILE_BYTES_MAX), 3);
            byte[] bytes = export(tree, random).content();
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            Pieces.In in = new Pieces(cut, random.nextBoolean()).in(randomCut(random), random);
            try {
                new Tree().importObject(in);
                throw new AssertionError("read " + bytes.length + " bytes out of " + cut.length);
            } catch (MessageFormatException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        });
    }

    @Test
    void shouldThrowNothingElseWhenTheMessageIsMutated() {
        rounds(ROUNDS * 10, random -> {
            Tree tree = Tree.random(random, 6 + randomSize(random, HOSTILE_BYTES_MAX), 3);
            byte[] bytes = export(tree, random).content();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(bytes.length);
                bytes[at] = switch (random.nextInt(3)) {
                    case 0 -> (byte) (bytes[at] ^ 1 << random.nextInt(8));
                    case 1 -> (byte) random.nextInt();
                    default -> (byte) 0xFF;
                };
            }
            readHostile(bytes, random);
        });
    }

    /** Nested objects as deep as the message is long. */
    @Test
    void shouldThrowWhenObjectsAreNestedWithoutEnd() {
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < bytes.length; i += 2) {
            bytes[i] = 2; // one item
            bytes[i + 1] = (byte) Item.KINDS.size(); // that is a tree
        }
        readHostile(bytes, new Random(1));
    }
}
