package io.dxnet.tools.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The seeds and what the fuzzer once found, each of them also cut at each byte and with each
 * byte changed: without the fuzzer.
 */
@Timeout(120)
class RegressionTest {
    private static final Path CORPUS = Path.of("corpus");
    /** Longer inputs are changed at this many places. */
    private static final int PLACES_MAX = 100;

    static Stream<String> targets() {
        return Targets.all().stream().map(FuzzTarget::name);
    }

    private static List<byte[]> inputs(FuzzTarget target) throws IOException {
        List<byte[]> inputs = new ArrayList<>(target.seeds());
        Path folder = CORPUS.resolve(target.name());
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        }
        return inputs;
    }

    @ParameterizedTest
    @MethodSource("targets")
    void shouldStandWhatWasFoundOnce(String name) throws Exception {
        Bounded bounded = new Bounded(Targets.named(name));
        List<byte[]> inputs = inputs(Targets.named(name));
        assertThat(inputs).isNotEmpty();
        for (byte[] input : inputs) {
            bounded.run(input);
            int step = 1 + input.length / PLACES_MAX;
            for (int at = 0; at < input.length; at += step) {
                bounded.run(Arrays.copyOf(input, at));
                for (int change : new int[] {1, 0x80, 0xFF}) {
                    byte[] changed = input.clone();
                    changed[at] ^= (byte) change;
                    bounded.run(changed);
                }
            }
        }
    }

    @Test
    void shouldNoticeAGiantAllocation() throws Exception {
        byte[][] kept = new byte[1][];
        Bounded bounded = new Bounded(new FuzzTarget() {
            @Override
            public String name() {
                return "giant";
            }

            @Override
            public List<byte[]> seeds() {
                return List.of();
            }

            @Override
            public void run(byte[] input) {
                kept[0] = new byte[input[0] << 20];
            }
        });
        bounded.run(new byte[1]);
        assertThatThrownBy(() -> bounded.run(new byte[] {1}))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 bytes of input allocated");
    }
}
