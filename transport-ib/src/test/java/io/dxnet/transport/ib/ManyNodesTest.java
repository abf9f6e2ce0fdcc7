package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.transport.handshake.Acceptor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many nodes connect all-to-all at once. */
class ManyNodesTest {
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private final Logger logger = Logger.getLogger(Acceptor.class.getName()); // kept: the log manager holds it weakly
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /**
     * Nodes that ask for each other at the same time are not reported to the application.
     */
    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldConnectAllToAll() throws Exception {
        logger.addHandler(handler);
        try {
            HundredNodes.connectAll(24);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(warnings).isEmpty();
    }
}
