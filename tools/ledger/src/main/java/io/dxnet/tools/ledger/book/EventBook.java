package io.dxnet.tools.ledger.book;

import io.dxnet.Disconnect;
import io.dxnet.Rejection;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What else one run of a node saw: a text file with a line for each
 * event, written at once. Any thread.
 */
public final class EventBook implements AutoCloseable {
    private static final String CONNECTED = "connected";
    private static final String END = "end";
    private static final String REJECTED = "rejected";
    private static final String BARRIER = "barrier";
    private static final String FAILED = "failed";
    private static final String UNSENT = "unsent";
    private static final String BREACH = "breach";

    /** Before all times of a book, and so that the difference of both is a number. */
    static final long UNKNOWN_NS = Long.MIN_VALUE / 2;

    /**
     * Not a channel, which an interrupt of the writing thread would close; not
     * buffered, so that a kill loses nothing.
     */
    private final OutputStream stream;

    private EventBook(OutputStream stream) {
        this.stream = stream;
    }

    /**
     * A connection's end.
     *
     * @param peer the other node
     * @param reason of the end
     * @param unconfirmedBytes as reported
     * @param sinceNs when the connection was reported, or an earlier one that was open beside it;
     *     {@link #UNKNOWN_NS}: none was
     * @param atNs when the listener was called
     */
    public record End(int peer, Disconnect.Reason reason, long unconfirmedBytes, long sinceNs, long atNs) {}

    /**
     * A connection that had not ended.
     *
     * @param peer the other node
     * @param sinceNs when the listener was called
     */
    public record Open(int peer, long sinceNs) {}

    /**
     * Messages that a node received and did not handle.
     *
     * @param peer that node
     * @param count how many
     * @param atNs when the listener was called
     */
    public record Rejected(int peer, long count, long atNs) {}

    /**
     * A call of {@code whenHandled} that completed normally.
     *
     * @param peer the other node
     * @param beginNs when the call began
     * @param doneNs when its future completed
     */
    public record Barrier(int peer, long beginNs, long doneNs) {}

    /**
     * A call that failed as documented.
     *
     * @param peer the other node
     * @param what was sent
     * @param ms how long the call lasted, in whole milliseconds
     * @param text of the exception
     * @param atNs when it had failed
     */
    public record Failure(int peer, String what, int ms, String text, long atNs) {}

    /**
     * What the run itself saw to be wrong.
     *
     * @param rule that was broken
     * @param what happened
     */
    public record Breach(Rule rule, String what) {}

    /**
     * All that a run wrote.
     *
     * @param connections made
     * @param open those that had not ended
     * @param ends in their order
     * @param rejections in their order
     * @param barriers in the order in which they completed
     * @param failures in their order; the node does not book all of them
     * @param unsent responses that could not be sent, in their order
     * @param breaches in their order
     */
    public record Events(
            int connections,
            List<Open> open,
            List<End> ends,
            List<Rejected> rejections,
            List<Barrier> barriers,
            List<Failure> failures,
            List<Failure> unsent,
            List<Breach> breaches) {}

    /**
     * Makes a new book.
     *
     * @param file must not exist
     * @return the book
     */
    public static EventBook create(Path file) {
        try {
            return new EventBook(new FileOutputStream(file.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the book " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Books a new connection.
     *
     * @param peer the other node
     */
    public void connected(int peer) {
        write(CONNECTED, peer, System.nanoTime());
    }

    /**
     * Books a connection's end.
     *
     * @param peer the other node
     * @param cause as reported
     */
    public void ended(int peer, Disconnect cause) {
        write(END, peer, System.nanoTime(), cause.reason(), cause.unconfirmedBytes(), cause.detail());
    }

    /**
     * Books a report of rejected messages.
     *
     * @param rejection as reported
     */
    public void rejected(Rejection rejection) {
        write(REJECTED, rejection.nodeId(), System.nanoTime(), rejection.count(), rejection.reason());
    }

    /**
     * Books that {@code whenHandled} completed normally, now.
     *
     * @param peer the other node
     * @param beginNs when it was called
     */
    public void passed(int peer, long beginNs) {
        write(BARRIER, peer, System.nanoTime(), beginNs);
    }

    /**
     * Books the text of a call that has failed.
     *
     * @param peer the other node
     * @param what was sent
     * @param ms how long the call lasted
     * @param text of the exception
     */
    public void failed(int peer, String what, int ms, String text) {
        write(FAILED, peer, System.nanoTime(), ms, what, text);
    }

    /**
     * Books a response that could not be sent.
     *
     * @param peer the node that sent the request
     * @param what is the response
     * @param ms how long the call lasted
     * @param text of the exception
     */
    public void unsent(int peer, String what, int ms, String text) {
        write(UNSENT, peer, System.nanoTime(), ms, what, text);
    }

    /**
     * Books what is wrong.
     *
     * @param rule that was broken
     * @param what happened
     */
    public void breach(Rule rule, String what) {
        write(BREACH, rule, what);
    }

    private synchronized void write(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : "\t")
                    .append(String.valueOf(word).replace('\t', ' ').replace("\n", "\\n"));
        }
        try {
            stream.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a book.
     *
     * @param file the book; a last line that is not whole is left out
     * @return its events
     */
    public static Events read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the book " + file + ": " + e.getMessage(), e);
        }
        int connections = 0;
        List<Open> open = new ArrayList<>(); // in the order of their times
        List<End> ends = new ArrayList<>();
        List<Rejected> rejections = new ArrayList<>();
        List<Barrier> barriers = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        List<Failure> unsent = new ArrayList<>();
        List<Breach> breaches = new ArrayList<>();
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case CONNECTED -> {
                    connections++;
                    open.add(new Open(Integer.parseInt(words[1]), Long.parseLong(words[2])));
                }
                case END -> {
                    int peer = Integer.parseInt(words[1]);
                    ends.add(new End(
                            peer,
                            Disconnect.Reason.valueOf(words[3]),
                            Long.parseLong(words[4]),
                            closeOne(open, peer),
                            Long.parseLong(words[2])));
                }
                case REJECTED ->
                    rejections.add(new Rejected(
                            Integer.parseInt(words[1]), Long.parseLong(words[3]), Long.parseLong(words[2])));
                case BARRIER ->
                    barriers.add(new Barrier(
                            Integer.parseInt(words[1]), Long.parseLong(words[3]), Long.parseLong(words[2])));
                case FAILED -> failures.add(failure(words));
                case UNSENT -> unsent.add(failure(words));
                case BREACH -> breaches.add(new Breach(Rule.valueOf(words[1]), words[2].replace("\\n", "\n")));
                default -> {}
            }
        }
        return new Events(connections, open, ends, rejections, barriers, failures, unsent, breaches);
    }

    /**
     * Which of several connections has ended, is not known: the latest is removed, so that the
     * earliest stays.
     *
     * @return the time of the earliest
     */
    private static long closeOne(List<Open> open, int peer) {
        List<Open> ofPeer = open.stream().filter(each -> each.peer() == peer).toList();
        if (ofPeer.isEmpty()) {
            return UNKNOWN_NS;
        }
        open.remove(open.lastIndexOf(ofPeer.getLast()));
        return ofPeer.getFirst().sinceNs();
    }

    private static Failure failure(String[] words) {
        return new Failure(
                Integer.parseInt(words[1]),
                words[4],
                Integer.parseInt(words[3]),
                words[5].replace("\\n", "\n"),
                Long.parseLong(words[2]));
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
