package io.dxnet.tools.ledger.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.ledger.book.Books;
import io.dxnet.tools.ledger.book.EventBook;
import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Outcome;
import io.dxnet.tools.ledger.book.Rule;
import io.dxnet.tools.ledger.book.SentBook;
import io.dxnet.tools.ledger.book.Stream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a sender itself sees to be wrong, and what it books of its calls. The node sends to itself.
 */
class PostTest {
    private static final int RUN = 0;
    private static final int BYTES = 100;
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    @TempDir
    private Path directory;

    private final Lane lane = new Lane(0, 2);
    private final DXNetConfig config = DXNetConfig.builder()
            .transport("loopback")
            .clusterName("post-test")
            .maxMessageBytes(1024)
            .errorHandler((what, error) -> {})
            .build();
    private Books books;
    private Deadlines deadlines;
    private DXNet net;
    private Post post;

    @BeforeEach
    void start() {
        books = Books.create(directory, RUN);
        deadlines = new Deadlines(config, books.events());
        net = new DXNet(config, new NodeMap(0).put(0, "127.0.0.1:1"));
        Types.register(net);
        post = new Post(net, RUN, books, deadlines);
    }

    @AfterEach
    void stop() {
        net.close();
        deadlines.close();
        books.close();
    }

    private List<Rule> breaches() {
        return EventBook.read(Books.eventFile(directory, RUN)).breaches().stream()
                .map(EventBook.Breach::rule)
                .toList();
    }

    private List<Outcome> outcomes() {
        List<Outcome> outcomes = new ArrayList<>();
        try (SentBook sent = SentBook.open(Books.sentFile(directory, RUN))) {
            sent.read((l, receiver, kind, sequence, outcome, bytes, beginNs, ms) -> outcomes.add(outcome));
        }
        return outcomes;
    }

    private void answerWith(long wordChange) {
        net.register(Types.DATA, Kind.REQUEST.ordinal(), (BookedRequest request) -> {
            request.payload.set(request.payload.word() ^ wordChange, BYTES, 0);
            net.sendMessage(new BookedResponse(request, BYTES));
        });
    }

    @Test
    void shouldBookTheAnswerOfItsRequest() {
        answerWith(0);
        assertThat(post.requestSync(lane, 0, BYTES)).isEqualTo(Outcome.ANSWERED);
        assertThat(outcomes()).containsExactly(Outcome.ANSWERED);
        assertThat(breaches()).isEmpty();
    }

    @Test
    void shouldSeeTheAnswerOfAnotherRequest() {
        answerWith(1);
        post.requestSync(lane, 0, BYTES);
        assertThat(breaches()).containsExactly(Rule.WRONG_ANSWER);
    }

    @Test
    void shouldSeeTheAnswerOfTheSameRequestOfAnotherRun() {
        answerWith(Stream.word(Kind.ORDERED, 5, 0, 0));
        post.requestSync(lane, 0, BYTES);
        assertThat(breaches()).containsExactly(Rule.WRONG_ANSWER);
    }

    @Test
    void shouldSeeAnExceptionThatNoMessageOfThisSizeMayMeet() {
        assertThat(post.message(lane, 0, Kind.ORDERED, 2000)).isEqualTo(Outcome.UNDOCUMENTED);
        assertThat(breaches()).containsExactly(Rule.UNDOCUMENTED);
    }

    @Test
    void shouldBookThatNobodyIsThere() {
        assertThat(post.message(lane, 1, Kind.ORDERED, BYTES)).isEqualTo(Outcome.UNREACHABLE);
        assertThat(outcomes()).containsExactly(Outcome.UNREACHABLE);
    }

    @Test
    void shouldBookThatTheNodeIsClosed() {
        net.close();
        assertThat(post.message(lane, 0, Kind.ORDERED, BYTES)).isEqualTo(Outcome.NET_CLOSED);
        assertThat(outcomes()).containsExactly(Outcome.NET_CLOSED);
    }

    private List<EventBook.Failure> failures() {
        return EventBook.read(Books.eventFile(directory, RUN)).failures();
    }

    @Test
    void shouldBookTheTextOfAFailure() {
        post.message(lane, 1, Kind.ORDERED, BYTES);
        EventBook.Failure failure = failures().getFirst();
        assertThat(failure.peer()).isEqualTo(1);
        assertThat(failure.what()).isEqualTo("ORDERED 0 of lane 0");
        assertThat(failure.text()).startsWith("NodeUnreachableException: ").contains("node 1");
    }

    @Test
    void shouldBookTheTimeAndTheTextOfARequestThatFailed() {
        int ms = 50;
        net.register(Types.DATA, Kind.REQUEST.ordinal(), (BookedRequest request) -> {
            Thread.sleep(ms);
            throw new IllegalStateException("a callback");
        });
        assertThat(post.requestSync(lane, 0, BYTES)).isEqualTo(Outcome.REQUEST_FAILED);
        EventBook.Failure failure = failures().getFirst();
        assertThat(failure.what()).isEqualTo("REQUEST 0 of lane 0");
        assertThat(failure.ms()).isGreaterThanOrEqualTo(ms);
        assertThat(failure.text()).startsWith("RequestFailedException: ").contains("a callback");
    }

    @Test
    void shouldBookTheFirstTextsOfEachOutcome() {
        for (int i = 0; i < Post.TEXTS_MAX + 1; i++) {
            post.message(lane, 1, Kind.ORDERED, BYTES);
        }
        net.close();
        post.message(lane, 0, Kind.ORDERED, BYTES);
        assertThat(failures()).hasSize(Post.TEXTS_MAX + 1);
        assertThat(failures().getLast().text()).startsWith("NetClosedException: ");
    }

    @Test
    void shouldSeeACallBeyondItsBound() {
        deadlines.check(new Deadlines.Start(System.nanoTime() - HOUR_NS, 0), 1000, "a call");
        assertThat(breaches()).containsExactly(Rule.OVERDUE);
    }

    @Test
    void shouldNotCountTheTimeInWhichTheProcessWasStopped() {
        deadlines.check(new Deadlines.Start(System.nanoTime() - HOUR_NS, -HOUR_NS), 1000, "a call");
        assertThat(breaches()).isEmpty();
    }
}
