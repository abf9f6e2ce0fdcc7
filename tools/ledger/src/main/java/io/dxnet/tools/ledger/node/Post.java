package io.dxnet.tools.ledger.node;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.Message;
import io.dxnet.NetClosedException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.RequestFailedException;
import io.dxnet.RequestTimeoutException;
import io.dxnet.SendTimeoutException;
import io.dxnet.tools.ledger.book.Books;
import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Outcome;
import io.dxnet.tools.ledger.book.Rule;
import io.dxnet.tools.ledger.book.Stream;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BiConsumer;

/** Sends messages and requests of all kinds and books them. Any thread. */
final class Post {
    /** How many failures of each outcome are booked in words. */
    static final int TEXTS_MAX = 20;

    private final DXNet net;
    private final int run;
    private final Books books;
    private final Deadlines deadlines;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger barriers = new AtomicInteger();
    private final AtomicIntegerArray texts = new AtomicIntegerArray(Outcome.values().length); // by outcome

    Post(DXNet net, int run, Books books, Deadlines deadlines) {
        this.net = net;
        this.run = run;
        this.books = books;
        this.deadlines = deadlines;
    }

    /** A message that was booked and is being sent. */
    private record Letter(int lane, Kind kind, int to, int sequence, int bytes, long record, Deadlines.Start start) {
        private String what() {
            return kind + " " + sequence + " of lane " + lane;
        }
    }

    private Letter book(Lane lane, int to, Kind kind, int bytes) {
        int sequence = lane.nextSequence(to);
        Deadlines.Start start = deadlines.start();
        long record = books.sent().intent(lane.id(), to, kind, sequence, bytes, start.atNs());
        return new Letter(lane.id(), kind, to, sequence, bytes, record, start);
    }

    private long word(Lane lane, Letter letter) {
        return Stream.word(letter.kind(), run, lane.id(), letter.sequence());
    }

    /** Sends a message; returns what came of it. */
    Outcome message(Lane lane, int to, Kind kind, int bytes) {
        Letter letter = book(lane, to, kind, bytes);
        Message message = kind == Kind.EMPTY
                ? new EmptyMessage(to, run, lane.id())
                : new DataMessage(kind, to, word(lane, letter), bytes);
        Outcome outcome;
        try {
            net.sendMessage(message);
            outcome = Outcome.ACCEPTED;
        } catch (Throwable e) {
            outcome = failure(letter, e);
        }
        close(letter, outcome, deadlines.sendMs(bytes));
        return outcome;
    }

    /** Sends a record, which is larger than its content. */
    Outcome value(Lane lane, int to, int contentBytes) {
        Letter letter = book(lane, to, Kind.VALUE, bytesOf(contentBytes));
        BookedValue value = BookedValue.of(word(lane, letter), to, contentBytes);
        Outcome outcome;
        try {
            net.send(to, Types.VALUE, value);
            outcome = Outcome.ACCEPTED;
        } catch (Throwable e) {
            outcome = failure(letter, e);
        }
        close(letter, outcome, deadlines.sendMs(letter.bytes()));
        return outcome;
    }

    /** Sends a record unless it would have to wait. */
    Outcome tryValue(Lane lane, int to, int contentBytes) {
        Letter letter = book(lane, to, Kind.VALUE, bytesOf(contentBytes));
        BookedValue value = BookedValue.of(word(lane, letter), to, contentBytes);
        Outcome outcome;
        try {
            outcome = net.trySend(to, Types.VALUE, value) ? Outcome.ACCEPTED : Outcome.REFUSED;
        } catch (Throwable e) {
            outcome = failure(letter, e);
        }
        close(letter, outcome, 0);
        return outcome;
    }

    private static int bytesOf(int contentBytes) {
        return Types.VALUE.codec().size(new BookedValue(0, 0, new byte[contentBytes]));
    }

    /** Waits until a record may be sent to a node that refused one. */
    void awaitWritable(int to) throws InterruptedException {
        long boundMs = deadlines.sendMs(0);
        try {
            net.whenWritable(to).get(2 * boundMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            books.events()
                    .breach(Rule.OVERDUE, "whenWritable(" + to + ") is not complete after " + 2 * boundMs + " ms");
        } catch (ExecutionException e) {
            notWritable(to, e.getCause());
        } catch (RuntimeException e) {
            notWritable(to, e);
        }
    }

    private void notWritable(int to, Throwable error) {
        if (!(error instanceof NodeUnreachableException
                || error instanceof SendTimeoutException
                || error instanceof NetClosedException)) {
            books.events().breach(Rule.UNDOCUMENTED, "whenWritable(" + to + "): " + Traces.of(error));
        }
    }

    /** Sends a message that fails. */
    void failing(Lane lane, int to, int bytes) {
        Letter letter = book(lane, to, Kind.ORDERED, bytes);
        Outcome outcome;
        try {
            net.sendMessage(new FailingMessage(Kind.ORDERED, to, word(lane, letter), bytes));
            outcome = Outcome.ACCEPTED; // it is missed later
        } catch (Throwable e) {
            outcome = failure(letter, e);
        }
        close(letter, outcome, deadlines.sendMs(bytes));
    }

    /** Sends a request and waits for its response. */
    Outcome requestSync(Lane lane, int to, int bytes) {
        Letter letter = book(lane, to, Kind.REQUEST, bytes);
        long word = word(lane, letter);
        Outcome outcome;
        try {
            outcome = answered(letter, word, net.sendSync(new BookedRequest(to, word, bytes)));
        } catch (Throwable e) {
            outcome = failure(letter, e);
        }
        close(letter, outcome, deadlines.requestMs(bytes));
        return outcome;
    }

    /**
     * Sends a request; the dependent is called with its outcome on
     * whatever thread completes the future.
     */
    void requestAsync(Lane lane, int to, int bytes, BiConsumer<Integer, Outcome> dependent) {
        Letter letter = book(lane, to, Kind.REQUEST, bytes);
        long word = word(lane, letter);
        inFlight.incrementAndGet();
        try {
            net.sendAsync(new BookedRequest(to, word, bytes)).whenComplete((response, error) -> {
                Outcome outcome = error == null ? answered(letter, word, response) : failure(letter, error);
                close(letter, outcome, deadlines.requestMs(bytes));
                inFlight.decrementAndGet();
                dependent.accept(to, outcome);
            });
        } catch (Throwable e) {
            close(letter, failure(letter, e), deadlines.requestMs(bytes));
            inFlight.decrementAndGet();
        }
    }

    /** The futures that are not complete. */
    int inFlight() {
        return inFlight.get();
    }

    /** Asks when a node has handled all that was sent to it so far, and books the answer. */
    void whenHandled(int to) {
        long beginNs = System.nanoTime();
        barriers.incrementAndGet();
        try {
            net.whenHandled(to).whenComplete((nothing, error) -> {
                if (error == null) {
                    books.events().passed(to, beginNs);
                } else {
                    notHandled(to, error);
                }
                barriers.decrementAndGet();
            });
        } catch (Throwable e) {
            notHandled(to, e);
            barriers.decrementAndGet();
        }
    }

    private void notHandled(int to, Throwable thrown) {
        Throwable error =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (!(error instanceof ConnectionLostException || error instanceof NetClosedException)) {
            books.events().breach(Rule.UNDOCUMENTED, "whenHandled(" + to + "): " + Traces.of(error));
        }
    }

    /** The calls of {@link #whenHandled} that have not completed. */
    int barriers() {
        return barriers.get();
    }

    private Outcome answered(Letter letter, long word, BookedResponse response) {
        if (response.payload.word() != word) {
            books.events()
                    .breach(
                            Rule.WRONG_ANSWER,
                            "request " + letter.sequence() + " to node " + letter.to() + " got the response of run "
                                    + Stream.run(response.payload.word()) + ", request "
                                    + Stream.sequence(response.payload.word()));
        } else if (!response.payload.isIntactAt(net.nodeId())) {
            books.events().breach(Rule.DAMAGED, "response to request " + letter.sequence() + " of node " + letter.to());
        }
        return Outcome.ANSWERED;
    }

    private void close(Letter letter, Outcome outcome, long boundMs) {
        int ms = deadlines.check(letter.start(), boundMs, letter);
        books.sent().outcome(letter.record(), outcome, ms);
    }

    private Outcome failure(Letter letter, Throwable thrown) {
        Throwable error = thrown;
        while ((error instanceof ExecutionException || error instanceof CompletionException)
                && error.getCause() != null) {
            error = error.getCause();
        }
        Outcome outcome = switch (error) {
            case NodeUnreachableException _ -> Outcome.UNREACHABLE;
            case ConnectionLostException _ -> Outcome.CONNECTION_LOST;
            case SendTimeoutException _ -> Outcome.SEND_TIMEOUT;
            case RequestTimeoutException _ -> Outcome.REQUEST_TIMEOUT;
            case RequestFailedException _ -> Outcome.REQUEST_FAILED;
            case NetClosedException _ -> Outcome.NET_CLOSED;
            case FailingMessage.Failure _ -> Outcome.EXPORT_FAILED;
            default -> {
                books.events().breach(Rule.UNDOCUMENTED, letter + ": " + Traces.of(error));
                yield Outcome.UNDOCUMENTED;
            }
        };
        boolean isInWords = outcome != Outcome.UNDOCUMENTED && outcome != Outcome.EXPORT_FAILED;
        if (isInWords && texts.getAndIncrement(outcome.ordinal()) < TEXTS_MAX) {
            books.events().failed(letter.to(), letter.what(), letter.start().elapsedMs(), Traces.line(error));
        }
        return outcome;
    }
}
