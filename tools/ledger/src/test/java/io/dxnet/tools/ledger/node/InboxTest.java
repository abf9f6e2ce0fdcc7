package io.dxnet.tools.ledger.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.ledger.book.Books;
import io.dxnet.tools.ledger.book.EventBook;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a callback books of its response. The node sends to itself. */
class InboxTest {
    private static final int RUN = 0;

    @TempDir
    private Path directory;

    private List<EventBook.Failure> unsent() {
        return EventBook.read(Books.eventFile(directory, RUN)).unsent();
    }

    /** The callback of the request lasts longer than the close waits for it. */
    @Test
    @Timeout(60)
    void shouldBookAResponseThatCouldNotBeSent() throws Exception {
        Books books = Books.create(directory, RUN);
        DXNetConfig config = DXNetConfig.builder()
                .transport("loopback")
                .clusterName("inbox-test")
                .closeTimeoutMs(100)
                .errorHandler((what, error) -> {})
                .build();
        NodeSpec spec = new NodeSpec(0, RUN, 2, 1, 0, Set.of(), directory);
        Deadlines deadlines = new Deadlines(config, books.events());
        Lanes lanes = new Lanes(spec.nodes());
        Switches switches = new Switches();
        switches.slowMs = 1000;
        DXNet net = new DXNet(config, new NodeMap(0).put(0, "127.0.0.1:1"));
        Post post = new Post(net, RUN, books, deadlines);
        new Inbox(net, spec, books, post, lanes, switches, 1).register();
        Types.register(net);
        CountDownLatch failed = new CountDownLatch(1);
        post.requestAsync(lanes.next(), 0, 100, (to, outcome) -> failed.countDown());
        while (books.handled().count() == 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        net.close();
        failed.await();
        while (unsent().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        deadlines.close();
        books.close();
        EventBook.Failure failure = unsent().getFirst();
        assertThat(failure.peer()).isZero();
        assertThat(failure.what()).isEqualTo("response to REQUEST 0 of lane 0 of run 0");
        assertThat(failure.text()).startsWith("NetClosedException: ").contains("was closed before");
        assertThat(EventBook.read(Books.eventFile(directory, RUN)).breaches()).isEmpty();
    }
}
