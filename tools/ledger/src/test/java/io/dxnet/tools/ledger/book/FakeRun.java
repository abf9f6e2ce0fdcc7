package io.dxnet.tools.ledger.book;

import io.dxnet.Disconnect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes the books of one run of a node, as a test wants them. All times are the test's. */
final class FakeRun implements AutoCloseable {
    final NodeRun run;
    private final Books books;
    private final Path events;
    private final StringBuilder ends = new StringBuilder();

    FakeRun(Path directory, int run, int node, NodeRun.Ending ending) {
        this.run = new NodeRun(run, node, ending);
        this.books = Books.create(directory, run);
        this.events = Books.eventFile(directory, run);
    }

    /** A message that was sent with this outcome. */
    FakeRun sent(int to, Kind kind, int sequence, Outcome outcome, int bytes, long atNs) {
        long record = books.sent().intent(0, to, kind, sequence, bytes, atNs);
        if (outcome != Outcome.INTENT) {
            books.sent().outcome(record, outcome, 1);
        }
        return this;
    }

    FakeRun accepted(int to, Kind kind, int sequence, long atNs) {
        return sent(to, kind, sequence, Outcome.ACCEPTED, 90, atNs);
    }

    FakeRun handled(FakeRun sender, Kind kind, int sequence, long atNs) {
        return handled(sender, kind, sequence, atNs, atNs);
    }

    /** With the end of the callback; 0: it did not return. */
    FakeRun handled(FakeRun sender, Kind kind, int sequence, long atNs, long endNs) {
        long word = kind == Kind.EMPTY
                ? Stream.word(kind, sender.run.run(), 0, sender.run.node())
                : Stream.word(kind, sender.run.run(), 0, sequence);
        books.handled().returned(books.handled().handled(word, atNs), endNs);
        return this;
    }

    /** Books a connection that was reported to the listener. */
    FakeRun connected(int peer, long atNs) {
        ends.append(String.join("\t", "connected", "" + peer, atNs + "\n"));
        return this;
    }

    /** Books a connection's end that was reported to the listener. */
    FakeRun ended(int peer, Disconnect.Reason reason, long unconfirmedBytes, long atNs) {
        ends.append(String.join("\t", "end", "" + peer, "" + atNs, reason.name(), "" + unconfirmedBytes, "a detail\n"));
        return this;
    }

    /** A report to the listener of rejected messages. */
    FakeRun rejected(int peer, long count, long atNs) {
        ends.append(String.join("\t", "rejected", "" + peer, "" + atNs, "" + count, "a reason\n"));
        return this;
    }

    /** A {@code whenHandled} that completed normally. */
    FakeRun passed(int peer, long beginNs, long doneNs) {
        ends.append(String.join("\t", "barrier", "" + peer, "" + doneNs, beginNs + "\n"));
        return this;
    }

    /** A call that failed, with its text. */
    FakeRun failed(int peer, String what, int ms, String text, long atNs) {
        return failure("failed", peer, what, ms, text, atNs);
    }

    /** A response that could not be sent. */
    FakeRun unsent(int peer, String what, int ms, String text, long atNs) {
        return failure("unsent", peer, what, ms, text, atNs);
    }

    private FakeRun failure(String line, int peer, String what, int ms, String text, long atNs) {
        ends.append(String.join("\t", line, "" + peer, "" + atNs, "" + ms, what, text + "\n"));
        return this;
    }

    FakeRun breach(Rule rule, String what) {
        books.events().breach(rule, what);
        return this;
    }

    @Override
    public void close() throws IOException {
        books.close();
        Files.writeString(events, ends, StandardOpenOption.APPEND);
    }
}
