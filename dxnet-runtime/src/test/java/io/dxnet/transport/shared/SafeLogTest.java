package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class SafeLogTest {
    private final List<String> logged = new ArrayList<>();
    private Error failure;

    private final System.Logger log = new System.Logger() {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            logged.add(level + " " + text + ": " + thrown.getMessage());
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            throw new AssertionError(format);
        }
    };

    private void logTwo() {
        SafeLog.error(log, "reading failed", new IllegalStateException("a test"));
        SafeLog.error(log, "it failed on: ", "node 7", new IllegalStateException("a test"));
    }

    @Test
    void shouldLogAndContinueWhereThatFails() {
        logTwo();
        failure = new OutOfMemoryError("the test wants it");
        logTwo();
        assertThat(logged)
                .containsExactly(
                        "ERROR reading failed: a test",
                        "ERROR it failed on: node 7: a test",
                        "ERROR reading failed: a test",
                        "ERROR it failed on: node 7: a test");
    }
}
