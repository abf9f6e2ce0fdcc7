package io.dxnet.tools.ledger.book;

import io.dxnet.Disconnect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Checks that the books of a round add up: first what was handled, then what was sent, then the
 * accounts of what is missing. One thread, once, when all nodes have ended.
 */
public final class Checker {
    /** The time after an outage within which its reports come. */
    private static final long OUTAGE_SLACK_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long NEVER = Long.MAX_VALUE;

    /** The end of the call of a message without a number: which are missing, is not known. */
    private static final long ANY = Long.MAX_VALUE / 2;

    private final Path directory;
    private final List<NodeRun> runs;
    private final int nodes;
    private final Outages outages;
    private final boolean orderly;
    private final long beginNs;
    private final long reportSlackNs;
    private final StreamState[] streams;
    private final Account[] accounts;
    private final Map<Integer, List<EventBook.Open>> openAtKill = new HashMap<>(); // by killed run
    private final Map<Integer, Long> killedNs = new HashMap<>(); // its last call, by killed run
    private final List<Note> notes = new ArrayList<>();
    private final Tally tally = new Tally();
    private final Findings findings;

    /** A failed call. Those between healthy nodes come first: no outage explains them. */
    private record Note(boolean isHealthy, long atNs, String text) {}

    /**
     * A check.
     *
     * @param directory of the books
     * @param runs all runs of the round, run number i at index
     *     i, so in the order in which they were started
     * @param nodes how many nodes there are
     * @param outages when nodes were not healthy
     * @param orderly whether every report of a loss between healthy nodes is a violation
     * @param beginNs of the round, for times in texts
     * @param reportSlackNs the time within which listeners get a report: the thread of their calls
     *     may wait in another listener, for a stopped node, and the machine may stand still
     * @param findings gets the violations
     */
    public Checker(
            Path directory,
            List<NodeRun> runs,
            int nodes,
            Outages outages,
            boolean orderly,
            long beginNs,
            long reportSlackNs,
            Findings findings) {
        this.directory = directory;
        this.runs = runs;
        this.nodes = nodes;
        this.outages = outages;
        this.orderly = orderly;
        this.beginNs = beginNs;
        this.reportSlackNs = reportSlackNs;
        this.findings = findings;
        this.streams = new StreamState[runs.size() * Stream.LANES_MAX * nodes];
        this.accounts = new Account[runs.size() * nodes];
    }

    /** {@return what was counted; violations are in the findings then} */
    public Tally check() {
        for (NodeRun run : runs) {
            readEvents(run);
        }
        for (NodeRun run : runs) {
            try (HandledBook book = HandledBook.open(Books.handledFile(directory, run.run()))) {
                book.read((word, atNs, endNs) -> handled(run.node(), word, atNs, endNs));
            }
        }
        for (NodeRun run : runs) {
            try (SentBook book = SentBook.open(Books.sentFile(directory, run.run()))) {
                if (run.ending() == NodeRun.Ending.KILLED) {
                    book.read((lane, receiver, kind, sequence, outcome, bytes, fromNs, durationMs) ->
                            killedNs.merge(run.run(), fromNs, Math::max));
                }
                book.read((lane, receiver, kind, sequence, outcome, bytes, fromNs, durationMs) ->
                        sent(run, lane, receiver, kind, sequence, outcome, bytes, fromNs, durationMs));
            }
            checkStreams(run);
            settle(run);
        }
        notes.sort(Comparator.comparing(Note::isHealthy).reversed().thenComparing(Note::atNs));
        notes.forEach(note -> findings.note(note.text()));
        return tally;
    }

    // ---------------------------------------------------------------- what nodes saw

    private void readEvents(NodeRun run) {
        EventBook.Events events = EventBook.read(Books.eventFile(directory, run.run()));
        tally.connections += events.connections();
        if (run.ending() == NodeRun.Ending.KILLED) {
            openAtKill.put(run.run(), events.open());
        }
        for (EventBook.End end : events.ends()) {
            tally.end(end.reason());
            if (end.reason() == Disconnect.Reason.PROTOCOL_ERROR) {
                findings.add(Rule.UNREADABLE, name(run) + ", of node " + end.peer() + " at " + time(end.atNs()));
            }
            if (end.peer() >= nodes) {
                continue;
            }
            account(run.run(), end.peer()).end(end);
            if (end.unconfirmedBytes() > 0
                    && outages.areHealthy(run.node(), end.peer(), end.atNs() - OUTAGE_SLACK_NS, end.atNs())) {
                toldThoughHealthy(
                        run, end.peer(), end.atNs(), end.reason() + " with " + end.unconfirmedBytes() + " bytes");
            }
        }
        for (EventBook.Rejected rejection : events.rejections()) {
            tally.rejected += rejection.count();
            if (rejection.peer() < nodes) {
                account(run.run(), rejection.peer()).rejected(rejection);
                if (outages.areHealthy(
                        run.node(), rejection.peer(), rejection.atNs() - OUTAGE_SLACK_NS, rejection.atNs())) {
                    toldThoughHealthy(
                            run, rejection.peer(), rejection.atNs(), "rejection of " + rejection.count() + " messages");
                }
            }
        }
        for (EventBook.Barrier barrier : events.barriers()) {
            tally.barriers++;
            account(run.run(), barrier.peer()).barrier(barrier);
        }
        for (EventBook.Failure failure : events.failures()) {
            note(run, failure);
        }
        for (EventBook.Failure failure : events.unsent()) {
            tally.unsent++;
            note(run, failure);
        }
        for (EventBook.Breach breach : events.breaches()) {
            findings.add(breach.rule(), name(run) + ": " + breach.what());
        }
    }

    private void note(NodeRun run, EventBook.Failure failure) {
        long fromNs = failure.atNs() - TimeUnit.MILLISECONDS.toNanos(failure.ms() + 1L);
        boolean isHealthy = outages.areHealthy(run.node(), failure.peer(), fromNs, failure.atNs());
        notes.add(new Note(
                isHealthy,
                failure.atNs(),
                name(run) + " to node " + failure.peer() + " at " + time(failure.atNs()) + ", after " + failure.ms()
                        + " ms" + (isHealthy ? "" : ", one of them not healthy") + ": " + failure.what() + ": "
                        + failure.text()));
    }

    private void toldThoughHealthy(NodeRun run, int peer, long atNs, String what) {
        tally.toldHealthy++;
        if (orderly) {
            findings.add(Rule.TOLD_THOUGH_HEALTHY, name(run) + " to node " + peer + " at " + time(atNs) + ": " + what);
        }
    }

    // ---------------------------------------------------------------- what was handled

    private void handled(int receiver, long word, long atNs, long endNs) {
        Kind kind = Stream.kind(word);
        tally.handled++;
        if (kind == Kind.EMPTY) {
            handledEmpty(receiver, word);
            return;
        }
        int run = Stream.run(word);
        if (run >= runs.size()) {
            findings.add(Rule.FOREIGN, "node " + receiver + " handled a message of run " + run + ", which never was");
            return;
        }
        int sequence = Stream.sequence(word);
        if (!stream(run, Stream.lane(word), receiver).handle(kind, sequence, atNs, endNs)) {
            findings.add(
                    Rule.TWICE,
                    name(run, Stream.lane(word), receiver) + ", " + kind + " " + sequence + " at " + time(atNs));
        }
    }

    private void handledEmpty(int receiver, long word) {
        int source = Stream.sequence(word);
        NodeRun sender = runs.stream()
                .filter(run -> run.node() == source && run.run() % Stream.RUNS_OF_EMPTY == Stream.run(word))
                .max(Comparator.comparingInt(NodeRun::run))
                .orElse(null);
        if (sender == null) {
            findings.add(Rule.FOREIGN, "node " + receiver + " handled an empty message of node " + source);
            return;
        }
        stream(sender.run(), Stream.lane(word), receiver).handleEmpty();
    }

    // ---------------------------------------------------------------- what was sent

    private void sent(
            NodeRun run,
            int lane,
            int receiver,
            Kind kind,
            int sequence,
            Outcome outcome,
            int bytes,
            long fromNs,
            int durationMs) {
        tally.outcome(outcome);
        StreamState stream = stream(run.run(), lane, receiver);
        boolean killed = run.ending() == NodeRun.Ending.KILLED;
        if (outcome == Outcome.INTENT && !killed) {
            findings.add(
                    Rule.OVERDUE,
                    name(run.run(), lane, receiver) + ", " + kind + " " + sequence + " sent at " + time(fromNs)
                            + ": no outcome at the end");
        }
        if (outcome.isTold() && outcome != Outcome.EXPORT_FAILED) {
            told(run, lane, receiver, kind, sequence, outcome, fromNs, durationMs);
        }
        if (kind == Kind.EMPTY) {
            stream.sendEmpty();
            if (outcome.isPromise()) {
                stream.acceptEmpty(new Account.Missing(lane, kind, sequence, bytes, fromNs, ANY));
            }
            return;
        }
        boolean wasHandled = stream.takeHandled(sequence);
        if (wasHandled && (outcome == Outcome.EXPORT_FAILED || outcome == Outcome.REFUSED)) {
            findings.add(
                    Rule.FAILED_HANDLED,
                    name(run.run(), lane, receiver) + ", " + kind + " " + sequence + " at " + time(fromNs));
        }
        if (outcome.isPromise()) {
            long sentNs = endNs(fromNs, durationMs);
            checkBarrier(
                    run,
                    lane,
                    receiver,
                    kind,
                    sequence,
                    fromNs,
                    sentNs,
                    wasHandled && stream.returnedNs(sequence) != 0 ? stream.returnedNs(sequence) : NEVER);
        }
        if (wasHandled) {
            tally.bytes += bytes;
            checkOrder(run, lane, receiver, kind, stream.overtaken(sequence), fromNs, endNs(fromNs, durationMs));
        } else if (outcome == Outcome.ANSWERED) {
            findings.add(
                    Rule.ANSWERED_UNHANDLED,
                    name(run.run(), lane, receiver) + ", request " + sequence + " at " + time(fromNs));
        } else if (killed && outcome == Outcome.INTENT) {
            tally.gone++;
        } else if (outcome.isPromise()) {
            missing(run, receiver, new Account.Missing(lane, kind, sequence, bytes, fromNs, endNs(fromNs, durationMs)));
        }
    }

    /** What was on a connection that was open when its sender was killed, no report can cover. */
    private void missing(NodeRun run, int receiver, Account.Missing message) {
        if (run.ending() == NodeRun.Ending.KILLED && mayBeGone(run, receiver, message)) {
            tally.gone++;
        } else {
            account(run.run(), receiver).missing(message);
        }
    }

    private boolean mayBeGone(NodeRun run, int receiver, Account.Missing message) {
        long endNs = message.endNs() + reportSlackNs;
        return endNs - killedNs.get(run.run()) >= 0
                || openAtKill.get(run.run()).stream()
                        .anyMatch(open -> open.peer() == receiver && endNs - open.sinceNs() >= 0);
    }

    /** When a call had ended: the books have its duration in whole milliseconds, cut. */
    private static long endNs(long fromNs, int durationMs) {
        return fromNs + TimeUnit.MILLISECONDS.toNanos(durationMs + 1L);
    }

    private void told(
            NodeRun run,
            int lane,
            int receiver,
            Kind kind,
            int sequence,
            Outcome outcome,
            long fromNs,
            int durationMs) {
        if (!outages.areHealthy(run.node(), receiver, fromNs, endNs(fromNs, durationMs))) {
            return;
        }
        if (outcome != Outcome.UNREACHABLE) {
            toldThoughHealthy(run, receiver, fromNs, kind + " " + sequence + " of lane " + lane + ": " + outcome);
            return;
        }
        tally.unreachableHealthy++;
        if (orderly) {
            findings.add(
                    Rule.UNREACHABLE,
                    name(run.run(), lane, receiver) + ", " + kind + " " + sequence + " at " + time(fromNs)
                            + ", call of " + durationMs + " ms");
        }
    }

    /**
     * Where an end reported unconfirmed bytes between, the
     * application knows that the order may be broken.
     */
    private void checkOrder(
            NodeRun run, int lane, int receiver, Kind kind, StreamState.Overtaken overtaken, long fromNs, long sentNs) {
        if (overtaken != null
                && !account(run.run(), receiver)
                        .hasToldBetween(fromNs, sentNs, overtaken.handledNs() + reportSlackNs)) {
            findings.add(
                    Rule.REORDERED,
                    name(run.run(), lane, receiver) + ", " + kind + " " + overtaken.sequence() + " sent at "
                            + time(fromNs) + " was handled at " + time(overtaken.handledNs()) + " after "
                            + overtaken.by());
        }
    }

    /**
     * A {@code whenHandled} that was called after the message was sent completes after its callback
     * has returned, or after the end of its connection, which is reported, or its rejection.
     */
    private void checkBarrier(
            NodeRun run, int lane, int receiver, Kind kind, int sequence, long fromNs, long sentNs, long returnedNs) {
        Account account = account(run.run(), receiver);
        long doneNs = account.doneAfter(sentNs);
        if (doneNs == Barriers.NONE || returnedNs <= doneNs) {
            return;
        }
        long toldNs = doneNs + reportSlackNs;
        if (!account.hasToldBetween(fromNs, sentNs, toldNs) && !account.hasRejectedBetween(fromNs, toldNs)) {
            findings.add(
                    Rule.UNHANDLED,
                    name(run.run(), lane, receiver) + ", " + kind + " " + sequence + " sent at " + time(fromNs)
                            + (returnedNs == NEVER ? " was never handled" : " was handled at " + time(returnedNs))
                            + ", whenHandled completed at " + time(doneNs));
        }
    }

    // ---------------------------------------------------------------- what is missing

    private void checkStreams(NodeRun run) {
        for (int lane = 0; lane < Stream.LANES_MAX; lane++) {
            for (int receiver = 0; receiver < nodes; receiver++) {
                StreamState stream = streams[index(run.run(), lane, receiver)];
                if (stream == null) {
                    continue;
                }
                String name = name(run.run(), lane, receiver);
                if (stream.foreign() > 0) {
                    findings.add(Rule.FOREIGN, stream.foreign(), name + ": " + stream.foreign() + " messages");
                }
                if (stream.emptyTwice() > 0) {
                    findings.add(Rule.TWICE, stream.emptyTwice(), name + ": " + stream.emptyTwice() + " empty ones");
                }
                for (Account.Missing message : stream.missingEmpty()) {
                    missing(run, receiver, message);
                }
            }
        }
    }

    private void settle(NodeRun run) {
        for (int receiver = 0; receiver < nodes; receiver++) {
            Account account = accounts[run.run() * nodes + receiver];
            if (account == null) {
                continue;
            }
            List<Account.Missing> lost = account.uncovered();
            tally.covered += account.missingCount() - lost.size();
            tally.lost += lost.size();
            if (!lost.isEmpty()) {
                Account.Missing first = lost.getFirst();
                findings.add(
                        Rule.LOST,
                        lost.size(),
                        name(run) + " to node " + receiver + ": " + lost.size() + " messages; the first is "
                                + first.kind() + " " + first.sequence() + " of lane " + first.lane() + ", "
                                + first.bytes() + " bytes, sent at " + time(first.beginNs()) + ", the last was sent at "
                                + time(lost.getLast().beginNs()));
            }
        }
    }

    // ---------------------------------------------------------------- names

    private int index(int run, int lane, int receiver) {
        return (run * Stream.LANES_MAX + lane) * nodes + receiver;
    }

    private StreamState stream(int run, int lane, int receiver) {
        int index = index(run, lane, receiver);
        if (streams[index] == null) {
            streams[index] = new StreamState();
        }
        return streams[index];
    }

    private Account account(int run, int receiver) {
        int index = run * nodes + receiver;
        if (accounts[index] == null) {
            accounts[index] = new Account(reportSlackNs);
        }
        return accounts[index];
    }

    private static String name(NodeRun run) {
        return "node " + run.node() + " (run " + run.run() + ")";
    }

    private String name(int run, int lane, int receiver) {
        return name(runs.get(run)) + ", lane " + lane + ", to node " + receiver;
    }

    private String time(long ns) {
        return String.format("%.3f s", (ns - beginNs) / 1e9);
    }
}
