package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Linker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The call from C to Java; functions of libc whose first argument decides the result poll. */
class UpcallCallsTest {
    private static final int ENTRIES = 16;
    private static final long INTO = 0x1234_5678_9abcL; // nothing reads or writes there
    private static final long ABS = address("abs");
    private static final long CLOSE = address("close");

    private final UpcallCalls calls = new UpcallCalls();

    /** Counts the calls, and returns what no poll did. */
    static final class Counting {
        private static int calls;
        private static long completions;

        private Counting() {}

        @SuppressWarnings("unused")
        private static int received(long completions, int count) {
            calls++;
            Counting.completions = completions;
            return 10 * count;
        }
    }

    /** Throws. */
    static final class Throwing {
        private Throwing() {}

        @SuppressWarnings("unused")
        private static int received(long completions, int count) {
            throw new IllegalStateException("received " + count);
        }
    }

    private static long address(String function) {
        return Linker.nativeLinker()
                .defaultLookup()
                .find(function)
                .orElseThrow()
                .address();
    }

    @BeforeEach
    void prepare() {
        try {
            calls.prepare();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort(e.getMessage());
        }
        Counting.calls = 0;
    }

    @AfterEach
    void restore() {
        calls.prepare();
    }

    @Test
    @DisplayName("a poll returns what the called method returns, which gets address and number")
    void shouldReturnWhatJavaReturns() {
        assertThat(calls.poll(ABS, 3, ENTRIES, INTO)).isEqualTo(3);
        Jni.prepareUpcall(Counting.class);
        assertThat(calls.poll(ABS, 3, ENTRIES, INTO)).isEqualTo(30);
        assertThat(Counting.completions).isEqualTo(INTO);
        assertThat(Counting.calls).isOne();
    }

    @Test
    @DisplayName("a poll that finds nothing, or a broken queue, calls nothing")
    void shouldCallNothingWithoutCompletions() {
        Jni.prepareUpcall(Counting.class);
        assertThat(calls.poll(ABS, 0, ENTRIES, INTO)).isZero();
        assertThat(calls.poll(CLOSE, -1, ENTRIES, INTO)).isEqualTo(-1);
        assertThat(Counting.calls).isZero();
    }

    @Test
    @DisplayName("the polling thread gets what the called method throws, and polls again")
    void shouldThrowWhatJavaThrows() {
        Jni.prepareUpcall(Throwing.class);
        assertThatThrownBy(() -> calls.poll(ABS, 3, ENTRIES, INTO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("received 3");
        assertThat(calls.poll(ABS, 0, ENTRIES, INTO)).isZero();
    }

    @Test
    @DisplayName("a class without the method is refused, and the calls stay as they were")
    void shouldRefuseAClassWithoutTheMethod() {
        assertThatThrownBy(() -> Jni.prepareUpcall(Object.class)).isInstanceOf(NoSuchMethodError.class);
        assertThat(calls.poll(ABS, 3, ENTRIES, INTO)).isEqualTo(3);
    }
}
