package io.dxnet.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.MessageFormatException;
import io.dxnet.runtime.wire.Item.Tree;
import io.dxnet.runtime.wire.Pieces.Cut;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random record types, compiled in the test, with random values, through pieces cut at
 * random places. A failure names its seed: {@code -Ddxnet.test.seed=<seed>} repeats it,
 * {@code -Ddxnet.test.rounds=<n>} asks for more of them.
 */
class CodecPropertyTest {
    private static final String SEED = "dxnet.test.seed";
    private static final int SOURCES = Math.max(1, Integer.getInteger("dxnet.test.rounds", 400) / 100);
    private static final int VALUES = 25;
    private static final int MUTATIONS = 8;
    private static final long HOSTILE_ALLOCATION_MAX = 16 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    /** Gets one type with its codec. */
    private interface Check {
        void run(Class<?> type, Codec<Object> codec, Random random) throws Exception;
    }

    /**
     * Compiles random sources, with many seeds or with the one that was asked for,
     * and checks each type in them.
     */
    @SuppressWarnings("unchecked")
    private void types(Check check) {
        Long asked = Long.getLong(SEED);
        long first = asked != null ? asked : new Random().nextLong();
        for (int i = 0; i < (asked != null ? 1 : SOURCES); i++) {
            long seed = first + i;
            String source = "";
            String type = "";
            try {
                Random random = new Random(seed);
                String name = "Generated" + i;
                source = RecordSource.of(name, random);
                Path own = folder.resolve(name);
                Compiled.into(own, Map.of(name + ".java", source));
                try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {own.toUri().toURL()}, null)) {
                    for (Class<?> one : sorted(loader.loadClass(name).getDeclaredClasses())) {
                        type = one.getName();
                        check.run(one, (Codec<Object>) Codec.of(one), random);
                    }
                }
            } catch (Throwable e) {
                throw new AssertionError(
                        type + " failed with seed " + seed + "; repeat with -D" + SEED + "=" + seed + "\n" + source, e);
            }
        }
    }

    private static List<Class<?>> sorted(Class<?>[] classes) {
        List<Class<?>> sorted = new ArrayList<>();
        for (Class<?> one : classes) {
            if (one.getTypeParameters().length == 0) {
                sorted.add(one);
            }
        }
        sorted.sort((one, other) -> one.getName().compareTo(other.getName()));
        return sorted;
    }

    private static Object randomValue(Class<?> type, Random random) throws Exception {
        return new RandomValues(random, 1 << random.nextInt(9)).value(type);
    }

    private static Cut randomCut(Random random) {
        return Cut.values()[random.nextInt(Cut.values().length)];
    }

    private static byte[] write(Codec<Object> codec, Object value, Random random) {
        int size = codec.size(value);
        Pieces pieces = new Pieces(size, random.nextBoolean());
        Pieces.Out out = pieces.out(randomCut(random), random);
        codec.write(value, out);
        assertThat(out.written()).as("bytes written and size").isEqualTo(size);
        return pieces.content();
    }

    @Test
    void shouldReadEqualValuesWhenTypesAreRandomAndPiecesAreCutAnywhere() {
        types((type, codec, random) -> {
            for (int i = 0; i < VALUES; i++) {
                Object value = randomValue(type, random);
                byte[] bytes = write(codec, value, random);
                Pieces.In in = new Pieces(bytes, random.nextBoolean()).in(randomCut(random), random);
                Object read = codec.read(in);
                assertThat(in.remaining()).isZero();
                assertThat(RandomValues.equal(value, read))
                        .as("%s\n%s", value, read)
                        .isTrue();
            }
        });
    }

    /**
     * Reading returns a value or fails; what it allocates is bounded by the message,
     * not by what the message claims.
     */
    private static void readHostile(Codec<Object> codec, byte[] bytes, Random random) {
        Pieces.In in = new Pieces(bytes, random.nextBoolean()).in(randomCut(random), random);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            assertThat(codec.read(in)).isNotNull();
        } catch (MessageFormatException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(HOSTILE_ALLOCATION_MAX);
        assertThat(in.remaining()).isBetween(0, bytes.length);
    }

    @Test
    void shouldThrowNothingElseWhenTheMessageIsHostile() {
        types((type, codec, random) -> {
            for (int i = 0; i < VALUES; i++) {
                byte[] noise = new byte[random.nextInt(1 << random.nextInt(12))];
                random.nextBytes(noise);
                if (random.nextInt(4) == 0) {
                    // Markers, tags and counts: deep.
                    Arrays.fill(noise, (byte) (random.nextBoolean() ? 1 : 2));
                }
                readHostile(codec, noise, random);
                byte[] bytes = write(codec, randomValue(type, random), random);
                for (int mutation = 0; mutation < MUTATIONS && bytes.length > 0; mutation++) {
                    byte[] mutated = bytes.clone();
                    int at = random.nextInt(bytes.length);
                    mutated[at] = (byte) (random.nextInt(3) == 0 ? 0xFF : mutated[at] ^ 1 << random.nextInt(8));
                    readHostile(codec, mutated, random);
                }
            }
        });
    }

    @Test
    void shouldThrowWhenTheMessageIsTruncated() {
        types((type, codec, random) -> {
            for (int i = 0; i < VALUES; i++) {
                byte[] bytes = write(codec, randomValue(type, random), random);
                if (bytes.length > 0) {
                    byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
                    Pieces.In in = new Pieces(cut, random.nextBoolean()).in(randomCut(random), random);
                    try {
                        Object read = codec.read(in);
                        throw new AssertionError("read " + read + " out of " + cut.length + " of " + bytes.length);
                    } catch (MessageFormatException e) {
                        assertThat(e.getMessage()).isNotBlank();
                    }
                }
            }
        });
    }

    /** The same declarations have the same schema, others another one. */
    @Test
    void shouldHaveOneSchemaForOneDescription() {
        types((type, codec, random) -> {
            assertThat(codec.schema()).isNotZero().isEqualTo(Codec.of(type).schema());
            assertThat(codec.describe()).isEqualTo(Codec.of(type).describe());
        });
    }

    /** Uses each method of {@link Exporter}. */
    @Test
    void shouldCountWhatIsWrittenWhenACodecHasNoSizeOfItsOwn() {
        Codec<Tree> codec = Codec.of(Tree::exportObject, from -> from.readObject(Tree::new));
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            Tree tree = Tree.random(random, 4096, 3);
            assertThat(codec.size(tree)).isEqualTo(tree.sizeOfObject());
        }
    }
}
