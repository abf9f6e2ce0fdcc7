package io.dxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DXNetConfigTest {
    /** A number's key, default and allowed range, as in its Javadoc. */
    record Range(String key, long standard, long min, long max, boolean powerOfTwo) {
        Range(String key, long standard, long min, long max) {
            this(key, standard, min, max, false);
        }
    }

    private static final long K = 1L << 10;
    private static final long M = 1L << 20;
    private static final long G = 1L << 30;

    private static final Map<String, Object> OTHERS = Map.ofEntries(
            Map.entry("transport", "auto"),
            Map.entry("clusterName", "dxnet"),
            Map.entry("security", SecurityMode.LOCAL),
            Map.entry("keyFile", ""),
            Map.entry("keyVariable", "DXNET_KEY"),
            Map.entry("tlsKeyStore", ""),
            Map.entry("tlsTrustStore", ""),
            Map.entry("tlsPasswordFile", ""),
            Map.entry("tlsPasswordVariable", "DXNET_TLS_PASSWORD"),
            Map.entry("profile", ConfigProfile.STANDARD),
            Map.entry("threadingLayout", ThreadingLayout.AUTO),
            Map.entry("parkingStrategy", ParkingStrategy.ADAPTIVE),
            Map.entry("sendByCaller", true));

    @TempDir
    private Path folder;

    static Stream<Range> ranges() {
        return Stream.of(
                new Range("handlers", 0, 0, 128),
                new Range("ringBytes", M, 4 * K, G, true),
                new Range("commitSlots", 1024, 16, 8 * K, true),
                new Range("maxMessageBytes", 128 * M, K, 2 * G - K),
                new Range("flowControlWindowBytes", 4 * M, 16 * K, G),
                new Range("flowControlThresholdPercent", 25, 1, 100),
                new Range("maxConnections", 100, 1, 65535),
                new Range("connectTimeoutMs", 5000, 10, 600_000),
                new Range("sendTimeoutMs", 10_000, 10, 3_600_000),
                new Range("requestTimeoutMs", 5000, 1, 3_600_000),
                new Range("closeTimeoutMs", 5000, 0, 600_000),
                new Range("requestMapEntries", 65536, 16, M, true),
                new Range("incomingQueueBuffers", 2048, 16, M),
                new Range("incomingQueueBytes", 64 * M, 64 * K, G),
                new Range("headerStoreEntries", 1024, 16, M, true),
                new Range("headerBatch", 32, 1, 4096),
                new Range("largeBuffers", 8, 1, 65536),
                new Range("mediumBuffers", 64, 1, 65536),
                new Range("smallBuffers", 256, 1, 65536),
                new Range("incomingBytesMax", G, M, 1024 * G),
                new Range("overprovisioningFactor", 4, 1, 1024),
                new Range("parkNs", 20_000, 1000, 1_000_000),
                new Range("idleSpinUs", 20, 0, 60_000_000),
                new Range("idleYieldUs", 100, 0, 60_000_000),
                new Range("idleParkAfterMs", 1000, 0, 600_000));
    }

    private static Object value(DXNetConfig config, String key) {
        try {
            return DXNetConfig.class.getMethod(key).invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static long number(DXNetConfig config, String key) {
        return ((Number) value(config, key)).longValue();
    }

    private static DXNetConfig with(String key, String value) {
        return DXNetConfig.builder().set(key, value).build();
    }

    @Test
    void shouldTestEveryKey() {
        List<String> keys =
                Arrays.stream(ConfigKey.values()).map(ConfigKey::key).toList();
        List<String> tested = Stream.concat(ranges().map(Range::key), OTHERS.keySet().stream())
                .toList();
        assertThat(tested).containsExactlyInAnyOrderElementsOf(keys);
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void shouldHaveTheDefaultThatIsDocumented(Range range) {
        assertThat(number(DXNetConfig.builder().build(), range.key())).isEqualTo(range.standard());
    }

    /** The Javadoc of each value states the range and the default of the table. */
    @ParameterizedTest
    @MethodSource("ranges")
    void shouldStateRangeAndDefaultInItsJavadoc(Range range) throws IOException {
        ConfigKey key = ConfigKey.of(range.key());
        assertThat(key.min()).isEqualTo(range.min());
        assertThat(key.max()).isEqualTo(range.max());
        assertThat(key.isPowerOfTwo()).isEqualTo(range.powerOfTwo());
        String source = Files.readString(Path.of("src/main/java/io/dxnet/DXNetConfig.java"));
        int end = source.indexOf(" " + range.key() + "() {");
        String javadoc = source.substring(source.lastIndexOf("/**", end), end).replaceAll("\\s+\\*?\\s*", " ");
        assertThat(javadoc)
                .contains(documented(key, range.min()) + " to " + documented(key, range.max()))
                .contains("default " + documented(key, range.standard()));
    }

    private static String documented(ConfigKey key, long value) {
        if (value == 2 * G - K) {
            return "2 GiB - 1 KiB";
        }
        if (key.unit() != ConfigKey.Unit.BYTES) {
            return Long.toString(value);
        }
        return value % (1024 * G) == 0
                ? value / (1024 * G) + " TiB"
                : value % G == 0 ? value / G + " GiB" : value % M == 0 ? value / M + " MiB" : value / K + " KiB";
    }

    @Test
    void shouldHaveTheOtherDefaultsThatAreDocumented() {
        DXNetConfig config = DXNetConfig.builder().build();
        OTHERS.forEach((key, standard) -> assertThat(value(config, key)).as(key).isEqualTo(standard));
        assertThat(config.errorHandler()).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void shouldAllowTheEndsOfTheRange(Range range) {
        for (long end : new long[] {range.min(), range.max()}) {
            DXNetConfig config = with(range.key(), Long.toString(end));
            assertThat(number(config, range.key())).isEqualTo(end);
            assertThat(config.toBuilder().build()).isEqualTo(config);
        }
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void shouldNameKeyValueAndRangeWhenAValueIsOutside(Range range) {
        for (long wrong : new long[] {range.min() - 1, range.max() + 1, -5}) {
            String value = Long.toString(wrong);
            String[] words = wrong == (int) wrong || range.key().equals("incomingBytesMax")
                    ? new String[] {range.key() + "=" + value, Long.toString(range.min()), Long.toString(range.max())}
                    : new String[] {range.key() + "=" + value, "range"};
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> with(range.key(), value))
                    .withMessageContainingAll(words);
        }
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void shouldNameKeyAndValueWhenItIsNoNumber(Range range) {
        for (String wrong :
                new String[] {"", "many", "1.5", "K", "1T", "9223372036854775807K", "99999999999999999999"}) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> with(range.key(), wrong))
                    .withMessageContaining(range.key() + "=" + wrong);
        }
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void shouldSuggestAPowerOfTwoWhereOneIsNeeded(Range range) {
        if (!range.powerOfTwo()) {
            assertThat(number(with(range.key(), Long.toString(range.min() + 1)), range.key()))
                    .isEqualTo(range.min() + 1);
            return;
        }
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> with(range.key(), Long.toString(range.min() + 1)))
                .withMessageContainingAll(range.key() + "=" + (range.min() + 1), "" + range.min() * 2);
    }

    @Test
    void shouldUnderstandSuffixes() {
        assertThat(with("ringBytes", "64K").ringBytes()).isEqualTo(64 << 10);
        assertThat(with("ringBytes", " 2m ").ringBytes()).isEqualTo(2 << 20);
        assertThat(with("incomingBytesMax", "4G").incomingBytesMax()).isEqualTo(4L << 30);
    }

    @Test
    void shouldUnderstandWords() {
        DXNetConfig.Builder builder =
                DXNetConfig.builder().set("sendByCaller", "false").set("transport", "nio");
        for (ThreadingLayout layout : ThreadingLayout.values()) {
            assertThat(builder.set("threadingLayout", layout.name().toLowerCase(java.util.Locale.ROOT))
                            .build()
                            .threadingLayout())
                    .isEqualTo(layout);
        }
        for (ParkingStrategy strategy : ParkingStrategy.values()) {
            assertThat(builder.set("parkingStrategy", strategy.name()).build().parkingStrategy())
                    .isEqualTo(strategy);
        }
        assertThat(builder.build().sendByCaller()).isFalse();
        assertThat(builder.build().transport()).isEqualTo("nio");
    }

    @Test
    void shouldListWhatIsAllowedWhenAWordIsWrong() {
        assertThatThrownBy(() -> with("threadingLayout", "many"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("threadingLayout=many", "auto", "dedicated", "fused");
        assertThatThrownBy(() -> with("parkingStrategy", "x"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("parkingStrategy=x", "adaptive");
        assertThatThrownBy(() -> with("sendByCaller", "yes"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("sendByCaller=yes", "true", "false");
        assertThatThrownBy(() -> with("clusterName", ""))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("clusterName=", "1 to 64");
        assertThatThrownBy(() -> with("clusterName", "c".repeat(65)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("clusterName=ccc", "65", "1 to 64");
        assertThat(with("clusterName", "c".repeat(64)).clusterName()).hasSize(64);
    }

    @Test
    void shouldThrowWhenThereIsNoSuchKey() {
        for (String key : new String[] {"ringByte", "RingBytes", "", ".x", "errorHandler"}) {
            assertThatThrownBy(() -> with(key, "1"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll(key + "=1", "no such key");
        }
    }

    @Test
    void shouldKeepTransportOptions() {
        DXNetConfig config = DXNetConfig.builder()
                .set("nio.socketBufferBytes", " 64K ")
                .transportOption("ib.port", "1")
                .build();
        assertThat(config.transportOptions()).isEqualTo(Map.of("nio.socketBufferBytes", "64K", "ib.port", "1"));
        assertThat(config.toBuilder().build()).isEqualTo(config);
        assertThatThrownBy(() -> config.transportOptions().put("nio.x", "y"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldReadAPropertiesFile() throws IOException {
        Path file = folder.resolve("dxnet.properties");
        Files.writeString(file, "# comment\ndxnet.ringBytes = 64K\nhandlers=3\nnio.noDelay=true\ndxnet.nio.x=1\n");
        DXNetConfig config = DXNetConfig.builder().load(file).build();
        assertThat(config.ringBytes()).isEqualTo(64 << 10);
        assertThat(config.handlers()).isEqualTo(3);
        assertThat(config.transportOptions()).isEqualTo(Map.of("nio.noDelay", "true", "nio.x", "1"));
        Files.writeString(file, "handler=3\n");
        assertThatThrownBy(() -> DXNetConfig.builder().load(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("handler=3");
        Files.writeString(file, "clusterName=\\u00e");
        assertThatThrownBy(() -> DXNetConfig.builder().load(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("dxnet.properties");
        assertThatThrownBy(() -> DXNetConfig.builder().load(folder.resolve("none")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldReadSystemProperties() {
        System.setProperty("dxnet.handlers", "5");
        System.setProperty("dxnet.nio.y", "z");
        try {
            DXNetConfig config =
                    DXNetConfig.builder().handlers(2).systemProperties().build();
            assertThat(config.handlers()).isEqualTo(5);
            assertThat(config.transportOptions()).containsEntry("nio.y", "z");
            System.setProperty("dxnet.handlers", "129");
            assertThatThrownBy(() -> DXNetConfig.builder().systemProperties().build())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("handlers=129", "0 to 128");
        } finally {
            System.clearProperty("dxnet.handlers");
            System.clearProperty("dxnet.nio.y");
        }
    }

    @Test
    void shouldThrowWhenAnObjectIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> DXNetConfig.builder().errorHandler(null).build());
        assertThatNullPointerException()
                .isThrownBy(() -> DXNetConfig.builder().transport(null).build());
        assertThatNullPointerException()
                .isThrownBy(() -> DXNetConfig.builder().clusterName(null).build());
        assertThatNullPointerException()
                .isThrownBy(() -> DXNetConfig.builder().threadingLayout(null).build());
        assertThatNullPointerException()
                .isThrownBy(() -> DXNetConfig.builder().profile(null).build());
        assertThatNullPointerException()
                .isThrownBy(() -> DXNetConfig.builder().parkingStrategy(null).build());
    }

    @Test
    void shouldPollForAMinuteWithTheProfileForLatency() {
        DXNetConfig standard = DXNetConfig.builder().build();
        DXNetConfig latency = with("profile", "latency");
        assertThat(latency.profile()).isEqualTo(ConfigProfile.LATENCY);
        assertThat(latency.idleYieldUs()).isEqualTo(60_000_000);
        assertThat(latency.idleParkAfterMs()).isEqualTo(60_000);
        for (ConfigKey key : ConfigKey.values()) {
            if (key != ConfigKey.PROFILE && key != ConfigKey.IDLE_YIELD_US && key != ConfigKey.IDLE_PARK_AFTER_MS) {
                assertThat(latency.value(key)).as(key.key()).isEqualTo(standard.value(key));
            }
        }
        assertThat(latency.toBuilder().build()).isEqualTo(latency);
    }

    @Test
    void shouldKeepWhatIsSetBeforeOrAfterAProfile() {
        DXNetConfig config = DXNetConfig.builder()
                .idleYieldUs(7)
                .profile(ConfigProfile.LATENCY)
                .idleParkAfterMs(8)
                .build();
        assertThat(config.idleYieldUs()).isEqualTo(7);
        assertThat(config.idleParkAfterMs()).isEqualTo(8);
        DXNetConfig copy = config.toBuilder().profile(ConfigProfile.STANDARD).build();
        assertThat(copy.idleYieldUs()).isEqualTo(7);
        assertThat(copy.idleParkAfterMs()).isEqualTo(8);
    }

    /** Every setter reaches its own component. */
    @Test
    void shouldSetEveryKeyByItsSetter() throws ReflectiveOperationException {
        DXNetConfig standard = DXNetConfig.builder().build();
        for (Range range : ranges().toList()) {
            Class<?> type = range.key().equals("incomingBytesMax") ? long.class : int.class;
            Object max = type == long.class ? (Object) range.max() : (Object) (int) range.max();
            DXNetConfig.Builder builder = DXNetConfig.builder();
            DXNetConfig.Builder.class.getMethod(range.key(), type).invoke(builder, max);
            DXNetConfig config = builder.build();
            assertThat(value(config, range.key())).isEqualTo(max);
            for (ConfigKey other : ConfigKey.values()) {
                if (!other.key().equals(range.key())
                        && !(range.key().equals("maxMessageBytes") && other == ConfigKey.INCOMING_BYTES_MAX)) {
                    assertThat(config.value(other)).isEqualTo(standard.value(other));
                }
            }
        }
    }

    /** Receive memory that can't hold the largest message: it could never arrive. */
    @Test
    void shouldNameBothKeysWhenReceiveMemoryCanNotHoldTheLargestMessage() {
        int message = (int) (60 * M);
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> DXNetConfig.builder()
                        .maxMessageBytes(message)
                        .incomingBytesMax(40 * M)
                        .build())
                .withMessageContainingAll(
                        "incomingBytesMax=" + 40 * M,
                        "maxMessageBytes=" + message,
                        "at least " + (message + DXNetConfig.RECEIVE_MARGIN_BYTES),
                        "at most " + (40 * M - DXNetConfig.RECEIVE_MARGIN_BYTES));
        long least = message + DXNetConfig.RECEIVE_MARGIN_BYTES;
        assertThat(DXNetConfig.builder()
                        .maxMessageBytes(message)
                        .incomingBytesMax(least)
                        .build()
                        .incomingBytesMax())
                .isEqualTo(least);
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> DXNetConfig.builder()
                        .maxMessageBytes(message)
                        .incomingBytesMax(least - 1)
                        .build());
    }

    @Test
    void shouldLetTheLargestMessageFollowTheReceiveMemoryAndTheOtherWayRound() {
        for (long bytes = M; bytes <= 1024 * G; bytes = bytes * 3 / 2) {
            DXNetConfig config = DXNetConfig.builder().incomingBytesMax(bytes).build();
            assertThat(config.incomingBytesMax()).isEqualTo(bytes);
            assertThat((long) config.maxMessageBytes())
                    .isEqualTo(Math.min(128 * M, Math.min(bytes / 8 * 5, bytes - DXNetConfig.RECEIVE_MARGIN_BYTES)));
        }
        for (long bytes = K; bytes <= 2 * G - K; bytes = bytes * 3 / 2) {
            DXNetConfig config =
                    DXNetConfig.builder().maxMessageBytes((int) bytes).build();
            assertThat((long) config.maxMessageBytes()).isEqualTo(bytes);
            assertThat(config.incomingBytesMax())
                    .isGreaterThanOrEqualTo(G)
                    .isGreaterThanOrEqualTo(bytes + DXNetConfig.RECEIVE_MARGIN_BYTES);
        }
    }

    /** A minute is not a number of 2^20 milliseconds. */
    @Test
    void shouldHaveSuffixesForBytesAlone() {
        for (String wrong : new String[] {"sendTimeoutMs=1m", "handlers=1K", "flowControlThresholdPercent=1k"}) {
            String[] parts = wrong.split("=");
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> with(parts[0], parts[1]))
                    .withMessageStartingWith(wrong + " is not a whole number");
        }
    }

    @Test
    void shouldNameTheKeyThatIsThereTwice() throws IOException {
        Path file = folder.resolve("dxnet.properties");
        Files.writeString(file, "ringBytes=4M\ndxnet.ringBytes=8M\n");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> DXNetConfig.builder().load(file))
                .withMessageContainingAll("dxnet.properties", "ringBytes is named twice", "4M", "8M");
    }

    @Test
    void shouldLetWhatFollowsFollowInTheNextBuilder() {
        DXNetConfig first = DXNetConfig.builder().build();
        DXNetConfig next = first.toBuilder().maxMessageBytes(1 << 30).build();
        assertThat(next)
                .isEqualTo(DXNetConfig.builder().maxMessageBytes(1 << 30).build());
        assertThat(next.toBuilder().build()).isEqualTo(next);
        assertThat(first.isGiven(ConfigKey.MAX_MESSAGE_BYTES)).isFalse();
        assertThat(next.isGiven(ConfigKey.MAX_MESSAGE_BYTES)).isTrue();
        assertThat(next.isGiven(ConfigKey.INCOMING_BYTES_MAX)).isFalse();
        assertThat(next.toBuilder().profile(ConfigProfile.LATENCY).build().idleYieldUs())
                .isEqualTo(DXNetConfig.builder()
                        .profile(ConfigProfile.LATENCY)
                        .build()
                        .idleYieldUs());
    }

    @Test
    void shouldReplaceAKeySourceByAFile() {
        KeySource source = () -> List.of(new byte[32]);
        DXNetConfig config = DXNetConfig.builder().keySource(source).build();
        assertThat(config.toBuilder().keySource(null).keyFile("key").build().keySource())
                .isNull();
    }

    @Test
    void shouldRefuseAnOptionOfATransportWithoutAPrefix() {
        for (String wrong : new String[] {"security", "ringBytes", ".x"}) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> DXNetConfig.builder().transportOption(wrong, "1"))
                    .withMessageStartingWith(wrong + "=1");
        }
    }

    @Test
    void shouldLeaveOutThePropertiesOfToolsAndTests() {
        System.setProperty("dxnet.test.seed", "1");
        System.setProperty("dxnet.tools.version", "1");
        try {
            assertThat(DXNetConfig.builder().systemProperties().build().transportOptions())
                    .doesNotContainKeys("test.seed", "tools.version");
        } finally {
            System.clearProperty("dxnet.test.seed");
            System.clearProperty("dxnet.tools.version");
        }
    }
}
