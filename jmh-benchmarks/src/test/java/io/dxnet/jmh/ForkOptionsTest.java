package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ForkOptionsTest {
    private static final Pattern NEEDS_LIBRARY = Pattern.compile(ForkOptions.NEEDS_LIBRARY);

    @Test
    void shouldKnowWhatNeedsTheLibraryByName() {
        List<String> needing = ForkOptions.names(List.of("Verbs", "Crossing", "Exchange")).stream()
                .filter(name -> NEEDS_LIBRARY.matcher(name).find())
                .toList();

        assertThat(needing)
                .contains(
                        "io.dxnet.ibverbs.VerbsPost.jni",
                        "io.dxnet.ibverbs.VerbsPost.inCFilled",
                        "io.dxnet.ibverbs.VerbsPollFull.ffm",
                        "io.dxnet.ibverbs.VerbsSoftPoll.inC",
                        "io.dxnet.jmh.CrossingDown.ffm",
                        "io.dxnet.jmh.ExchangeCall.ffmHeap",
                        "io.dxnet.jmh.ExchangeUnsafe.jniUnsafe")
                .doesNotContain(
                        "io.dxnet.ibverbs.VerbsPost.ffm",
                        "io.dxnet.ibverbs.VerbsPoll.ffmRaw",
                        "io.dxnet.ibverbs.VerbsExchange.ffm",
                        "io.dxnet.ibverbs.VerbsSoftPost.ffmThroughC",
                        "io.dxnet.jmh.ExchangeMemory.segmentShared",
                        "io.dxnet.jmh.ExchangeUnsafe.unsafe");
    }

    @Test
    void shouldRunAllStructuresWithoutTheLibrary() {
        assertThat(ForkOptions.names(List.of("Structure")))
                .isNotEmpty()
                .noneMatch(name -> NEEDS_LIBRARY.matcher(name).find());
    }
}
