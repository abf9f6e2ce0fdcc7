package io.dxnet.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.dxnet.Codec;
import io.dxnet.MessageFormatException;
import io.dxnet.MessagingUsageException;
import io.dxnet.runtime.wire.Pieces.Cut;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of derived codecs, their limits, and their errors with their words. */
class CodecEdgeTest {
    enum Color {
        RED,
        GREEN
    }

    sealed interface Shape permits Circle, Square, Flat {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    enum Flat implements Shape {
        LINE
    }

    record Empty() {}

    record Numbers(boolean a, byte b, short c, char d, int e, long f, float g, double h) {}

    record Words(String text, byte[] bytes, Color color, BigInteger number) {}

    record Times(UUID id, Instant instant, Duration duration) {}

    record Parts(Circle circle, Shape shape, Integer boxed) {}

    record Many(List<String> list, Set<Integer> set, Map<String, Color> map, Optional<String> option, String[] array) {}

    record Empties(List<Empty> empties) {}

    record Options(Optional<Optional<Integer>> option) {}

    record Chain(int number, Chain next) {}

    record Graph(List<Graph> next) {}

    record Positive(int number) {
        Positive {
            if (number <= 0) {
                throw new IllegalArgumentException(number + " is not positive");
            }
        }
    }

    record Flow(
            long a,
            int b,
            double c,
            String text,
            byte[] bytes,
            Circle circle,
            List<Circle> list,
            Optional<String> option,
            Shape shape,
            Color color,
            BigInteger number) {}

    private static final Random RANDOM = new Random(1);

    /** With a lookup: the tests' module is not open. */
    private static <T> Codec<T> codec(Class<T> type) {
        return Codec.of(type, MethodHandles.lookup());
    }

    private static <T> String hex(Class<T> type, T value) {
        return HexFormat.of().formatHex(write(codec(type), value));
    }

    private static <T> byte[] write(Codec<T> codec, T value) {
        int size = codec.size(value);
        Pieces pieces = new Pieces(size, false);
        Pieces.Out out = pieces.out(Cut.WHOLE, RANDOM);
        codec.write(value, out);
        assertThat(out.written()).isEqualTo(size);
        return pieces.content();
    }

    private static <T> T read(Class<T> type, String hex) {
        return read(codec(type), HexFormat.of().parseHex(hex));
    }

    private static <T> T read(Codec<T> codec, byte[] bytes) {
        Pieces.In in = new Pieces(bytes, false).in(Cut.TINY, RANDOM);
        T value = codec.read(in);
        assertThat(in.remaining()).isZero();
        return value;
    }

    private static <T> void assertJourney(Class<T> type, T value, String hex) {
        assertThat(hex(type, value)).isEqualTo(hex);
        T read = read(type, hex);
        assertThat(read).usingRecursiveComparison().isEqualTo(value);
    }

    private static void assertHostile(Class<?> type, String hex, String... words) {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(type, hex))
                .withMessageContainingAll(words);
    }

    // ---------------------------------------------------------------- bytes

    @Test
    void shouldWriteTheDocumentedBytesWhenComponentsArePresent() {
        assertJourney(Empty.class, new Empty(), "");
        assertJourney(
                Numbers.class,
                new Numbers(true, (byte) 2, (short) 3, 'A', 5, 6, 1.0f, 2.0),
                "01" + "02" + "0300" + "4100" + "05000000" + "0600000000000000" + "0000803f" + "0000000000000040");
        assertJourney(
                Words.class,
                new Words("hi", new byte[] {7}, Color.GREEN, BigInteger.valueOf(-256)),
                "046869" + "0207" + "02" + "04ff00");
        assertJourney(
                Times.class,
                new Times(new UUID(1, 2), Instant.ofEpochSecond(3, 4), Duration.ofSeconds(-5, 6)),
                "01" + "0100000000000000" + "0200000000000000" + "01" + "0300000000000000" + "04000000" + "01"
                        + "fbffffffffffffff" + "06000000");
        assertJourney(
                Parts.class, new Parts(new Circle(1), new Square(2), 3), "0101000000" + "0202000000" + "0103000000");
        assertJourney(Parts.class, new Parts(null, Flat.LINE, null), "00" + "0400" + "00");
        assertJourney(
                Many.class,
                new Many(List.of("a"), Set.of(1), Map.of("k", Color.RED), Optional.of("o"), new String[] {"x", null}),
                "020261" + "0201000000" + "02026b00" + "026f" + "04027801");
        assertJourney(Empties.class, new Empties(List.of(new Empty(), new Empty())), "040101");
        assertJourney(Options.class, new Options(Optional.of(Optional.empty())), "0100");
        assertJourney(Options.class, new Options(Optional.of(Optional.of(1))), "010101000000");
    }

    @Test
    void shouldWriteOneByteWhenAComponentIsNull() {
        assertJourney(Words.class, new Words(null, null, null, null), "01010101");
        assertJourney(Times.class, new Times(null, null, null), "000000");
        assertJourney(Parts.class, new Parts(null, null, null), "000100");
        assertJourney(Many.class, new Many(null, null, null, Optional.empty(), null), "0101010101");
        assertJourney(Options.class, new Options(Optional.empty()), "00");
        assertJourney(Shape[].class, new Shape[3], "06010101");
    }

    @Test
    void shouldWriteATagWhenTheValueItselfIsOfAFamily() {
        assertJourney(Shape.class, new Square(1), "0201000000");
        assertJourney(Color.class, Color.GREEN, "02");
        assertJourney(String.class, "hi", "046869");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1",
                "-1",
                "127",
                "128",
                "-128",
                "-129",
                "9223372036854775807",
                "9223372036854775808",
                "-9223372036854775808",
                "-9223372036854775809",
                "170141183460469231731687303715884105728"
            })
    void shouldWriteTheBytesOfToByteArrayWhenAComponentIsABigInteger(String digits) {
        BigInteger number = new BigInteger(digits);
        byte[] expected = number.toByteArray();
        byte[] bytes = write(codec(BigInteger.class), number);
        assertThat(Arrays.copyOfRange(bytes, 1, bytes.length)).isEqualTo(expected);
        assertThat(read(codec(BigInteger.class), bytes)).isEqualTo(number);
    }

    @Test
    void shouldKeepTheOrderAndBeUnmodifiableWhenCollectionsArrive() {
        Map<String, Color> map = new LinkedHashMap<>();
        Set<Integer> set = new LinkedHashSet<>();
        for (int i = 50; i > 0; i--) {
            map.put("k" + i, Color.RED);
            set.add(i * 7919);
        }
        Codec<Many> codec = codec(Many.class);
        Many read = read(codec, write(codec, new Many(List.of("a", "b"), set, map, Optional.empty(), null)));
        assertThat(read.set()).containsExactlyElementsOf(set);
        assertThat(read.map().keySet()).containsExactlyElementsOf(map.keySet());
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> read.list().set(0, "c"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> read.set().clear());
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> read.map().clear());
    }

    // ---------------------------------------------------------------- null where it is not allowed

    @Test
    void shouldNameTheComponentWhenAnElementIsNullAtTheSender() {
        String record = " of record " + Many.class.getName();
        Map<String, Color> nullValue = Collections.singletonMap("k", null);
        assertUsage(new Many(Arrays.asList("a", null), null, null, Optional.empty(), null), "component list" + record);
        assertUsage(
                new Many(null, Collections.singleton(null), null, Optional.empty(), null), "component set" + record);
        assertUsage(new Many(null, null, nullValue, Optional.empty(), null), "a value of component map" + record);
        assertUsage(new Many(null, null, null, null, null), "component option" + record);
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> codec(Many.class).size(null));
    }

    private static void assertUsage(Many value, String where) {
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> write(codec(Many.class), value))
                .withMessageContainingAll(where, "is null");
    }

    @Test
    void shouldThrowWhenNullArrivesWhereItIsNotAllowed() {
        assertHostile(Many.class, "0201" + "01010101", "component list", "cannot be null");
        assertHostile(Many.class, "01" + "01" + "02026b01" + "0101", "component map", "cannot be null");
        assertHostile(Shape.class, "01", "cannot be null");
        assertHostile(Shape.class, "0401", "Flat", "cannot be null");
    }

    // ---------------------------------------------------------------- hostile bytes

    @ParameterizedTest
    @CsvSource({"06", "03", "feffffff0f"})
    void shouldThrowWhenATagIsUnknown(String tag) {
        assertHostile(Shape.class, tag + "01000000", Shape.class.getName(), "3 cases");
    }

    @ParameterizedTest
    @CsvSource({"04", "03", "feffffff0f"})
    void shouldThrowWhenAnOrdinalIsUnknown(String ordinal) {
        assertHostile(Words.class, "0101" + ordinal + "01", Color.class.getName(), "2 constants");
    }

    @Test
    void shouldThrowWhenAKeyOrAnElementRepeats() {
        assertHostile(Many.class, "01" + "0401000000" + "01000000" + "010101", "component set", "element 1 repeats");
        assertHostile(Many.class, "0101" + "04026b00026b02" + "0101", "component map", "key 1 repeats");
    }

    @Test
    void shouldThrowWhenAMarkerIsNeitherZeroNorOne() {
        assertHostile(Times.class, "02" + "00".repeat(40), "expected a boolean");
    }

    @Test
    void shouldThrowWhenATimeIsOutOfRange() {
        assertHostile(Instant.class, "ffffffffffffff7f" + "00000000", "expected an Instant");
        assertHostile(Instant.class, "0000000000000000" + "00ca9a3b", "nanoseconds of an Instant", "1000000000");
        assertHostile(Duration.class, "0000000000000000" + "ffffffff", "nanoseconds of a Duration", "-1");
        assertThat(read(Duration.class, "ffffffffffffff7f" + "ffc99a3b"))
                .isEqualTo(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
        assertThat(hex(Instant.class, Instant.MAX)).hasSize(24);
        assertThat(read(Instant.class, hex(Instant.class, Instant.MIN))).isEqualTo(Instant.MIN);
    }

    @Test
    void shouldThrowWhenABigIntegerHasNoBytes() {
        assertHostile(BigInteger.class, "00", "expected a BigInteger of 1 to");
    }

    /** 2^31 - 1 elements, or one more than there are bytes: nothing is allocated for them. */
    @ParameterizedTest
    @ValueSource(classes = {Empties.class, Many.class, Graph.class, Chain[].class, Graph[][].class})
    void shouldThrowWhenACountIsMoreThanTheMessageHolds(Class<?> type) {
        assertHostile(type, "feffffff0f" + "00".repeat(20), "number of elements", "2147483647");
        assertHostile(
                type, "2a" + "00".repeat(20), "number of elements", "it is 21", "20 bytes of the message are left");
        assertHostile(type, "03" + "00".repeat(20), "number of elements", "it is -2");
    }

    /**
     * Each level claims as many elements as there are bytes left: memory must not
     * multiply with the levels.
     */
    @Test
    void shouldAllocateLittleWhenEachLevelClaimsAllThatIsLeft() {
        int bytes = 4 << 20;
        byte[] message = new byte[bytes];
        // 2^20 - 1 elements each: as many bytes are left.
        for (int i = 0; i <= 3 * Codec.NESTING_MAX; i += 3) {
            message[i] = (byte) 0xFE;
            message[i + 1] = (byte) 0xFF;
            message[i + 2] = 0x7F;
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Codec<Graph> codec = codec(Graph.class);
        Pieces.In in = new Pieces(message, true).in(Cut.WHOLE, RANDOM);
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> codec.read(in));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(bytes);
    }

    @Test
    void shouldReadAllElementsWhenARecursiveTypeHasMoreThanAreAllocatedAtOnce() {
        List<Graph> leaves = Collections.nCopies(1000, new Graph(List.of()));
        Codec<Graph> codec = codec(Graph.class);
        assertThat(read(codec, write(codec, new Graph(leaves)))).isEqualTo(new Graph(leaves));
        Codec<Graph[]> arrays = codec(Graph[].class);
        Graph[] array = leaves.toArray(new Graph[0]);
        assertThat(read(arrays, write(arrays, array))).isEqualTo(array);
    }

    @Test
    void shouldThrowWhenAConstructorRefusesItsArguments() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(Positive.class, "ffffffff"))
                .withMessageContainingAll(Positive.class.getName(), "-1 is not positive")
                .withCauseInstanceOf(IllegalArgumentException.class);
    }

    // ---------------------------------------------------------------- depth

    private static Chain chain(int length) {
        Chain chain = null;
        for (int i = 0; i < length; i++) {
            chain = new Chain(i, chain);
        }
        return chain;
    }

    /** On a small stack, before anything is compiled. */
    @Test
    void shouldTravelWhenRecordsAreNestedAsDeepAsAllowed() throws Exception {
        List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        Thread thread = new Thread(
                null,
                () -> {
                    Codec<Chain> codec = codec(Chain.class);
                    Chain chain = chain(Codec.NESTING_MAX);
                    assertThat(read(codec, write(codec, chain))).isEqualTo(chain);
                },
                "small-stack",
                512 << 10);
        thread.setUncaughtExceptionHandler((ignored, error) -> errors.add(error));
        thread.start();
        thread.join();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldThrowWhenRecordsAreNestedDeeper() {
        Codec<Chain> codec = codec(Chain.class);
        Chain chain = chain(Codec.NESTING_MAX + 1);
        Pieces.Out out = new Pieces(1 << 20, false).out(Cut.WHOLE, RANDOM);
        for (Runnable send : List.<Runnable>of(() -> codec.size(chain), () -> codec.write(chain, out))) {
            assertThatExceptionOfType(MessagingUsageException.class)
                    .isThrownBy(send::run)
                    .withMessageContainingAll("deeper than " + Codec.NESTING_MAX, Chain.class.getName());
        }
        assertHostile(Chain.class, "0000000001".repeat(5000), "at most " + Codec.NESTING_MAX, Chain.class.getName());
        assertHostile(Graph.class, "02".repeat(5000), "at most " + Codec.NESTING_MAX, Graph.class.getName());
    }

    @Test
    void shouldThrowWhenAGraphHasACycle() {
        List<Graph> next = new ArrayList<>();
        Graph graph = new Graph(next);
        next.add(graph);
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> codec(Graph.class).size(graph))
                .withMessageContaining("no cycles");
    }

    // ---------------------------------------------------------------- allocation

    /** In every tier: no box, no iterator, no array. */
    @Test
    void shouldAllocateNothingWhenValuesAreSent() {
        Flow flow = new Flow(
                1,
                2,
                3,
                "texté",
                new byte[20],
                new Circle(4),
                List.of(new Circle(5), new Circle(6)),
                Optional.of("there"),
                new Square(7),
                Color.GREEN,
                BigInteger.TEN);
        Codec<Flow> codec = codec(Flow.class);
        Pieces.Out out = new Pieces(1 << 20, true).out(Cut.WHOLE, RANDOM);
        out.nextPiece();
        UnaryOperator<Integer> sends = count -> {
            for (int i = 0; i < count; i++) {
                out.position = codec.size(flow) & 1;
                codec.write(flow, out);
            }
            return count;
        };
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        sends.apply(1000); // links the call sites
        long before = threads.getCurrentThreadAllocatedBytes();
        sends.apply(5000);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(5000);
    }

    @Test
    void shouldBeEqualAfterTheJourneyWhenManyThreadsUseOneCodec() throws Exception {
        Codec<Chain> codec = codec(Chain.class);
        List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            Chain chain = chain(i * 10);
            Thread thread = new Thread(() -> {
                Random random = new Random(1);
                for (int round = 0; round < 200; round++) {
                    Pieces pieces = new Pieces(codec.size(chain), false);
                    codec.write(chain, pieces.out(Cut.RANDOM, random));
                    assertThat(codec.read(pieces.in(Cut.RANDOM, random))).isEqualTo(chain);
                }
            });
            thread.setUncaughtExceptionHandler((ignored, error) -> errors.add(error));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(errors).isEmpty();
    }
}
