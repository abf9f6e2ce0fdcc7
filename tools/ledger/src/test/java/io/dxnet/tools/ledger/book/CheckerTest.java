package io.dxnet.tools.ledger.book;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.Disconnect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of violation, put into the books by a fake, is seen; what is none is not. */
class CheckerTest {
    private static final long S = TimeUnit.SECONDS.toNanos(1);
    private static final long SLACK = 10 * S;
    private static final int PAYLOAD = 90;
    private static final int MESSAGE = PAYLOAD + 10;

    @TempDir
    private Path directory;

    private final List<FakeRun> runs = new ArrayList<>();
    private final Outages outages = new Outages();
    private final Findings findings = new Findings();
    private FakeRun zero;
    private FakeRun one;
    private boolean orderly;

    @BeforeEach
    void start() {
        zero = run(0, NodeRun.Ending.CLOSED);
        one = run(1, NodeRun.Ending.CLOSED);
    }

    private FakeRun run(int node, NodeRun.Ending ending) {
        FakeRun run = new FakeRun(directory, runs.size(), node, ending);
        runs.add(run);
        return run;
    }

    private Tally check() throws Exception {
        for (FakeRun run : runs) {
            run.close();
        }
        List<NodeRun> all = runs.stream().map(each -> each.run).toList();
        return new Checker(directory, all, 3, outages, orderly, 0, SLACK, findings).check();
    }

    private void assertOnly(Rule rule, long count) {
        assertThat(findings.first(100)).isNotEmpty();
        assertThat(findings.count(rule)).as(findings.first(100).toString()).isEqualTo(count);
        assertThat(findings.count()).as(findings.first(100).toString()).isEqualTo(count);
    }

    private void assertNone() {
        assertThat(findings.first(100)).isEmpty();
    }

    // ---------------------------------------------------------------- what is right

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldAcceptWhatWasSentAndHandledOnce(Kind kind) throws Exception {
        Outcome outcome = kind == Kind.REQUEST ? Outcome.ANSWERED : Outcome.ACCEPTED;
        for (int i = 0; i < 100; i++) {
            zero.sent(1, kind, i, outcome, PAYLOAD, S + i);
            one.handled(zero, kind, i, 2 * S + i);
        }
        Tally tally = check();
        assertNone();
        assertThat(tally.sent()).isEqualTo(100);
        assertThat(tally.handled()).isEqualTo(100);
    }

    @Test
    void shouldAcceptWhatWasToldAndYetHandled() throws Exception {
        outages.begin(1, 0);
        zero.sent(1, Kind.ORDERED, 0, Outcome.CONNECTION_LOST, PAYLOAD, S);
        one.handled(zero, Kind.ORDERED, 0, 2 * S);
        assertThat(check().told()).isEqualTo(1);
        assertNone();
    }

    @Test
    void shouldNotMissWhatAKilledNodeSent() throws Exception {
        FakeRun killed = run(2, NodeRun.Ending.KILLED);
        killed.accepted(1, Kind.ORDERED, 0, S);
        killed.sent(1, Kind.ORDERED, 1, Outcome.INTENT, PAYLOAD, S);
        killed.accepted(1, Kind.EMPTY, 2, S);
        assertThat(check().gone()).isEqualTo(3);
        assertNone();
    }

    @Test
    void shouldCountWhatALaterRunOfTheReceiverHandled() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        run(1, NodeRun.Ending.CLOSED).handled(zero, Kind.ORDERED, 0, 3 * S);
        check();
        assertNone();
    }

    // ---------------------------------------------------------------- loss

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ORDERED", "REUSED", "LOOSE", "EMPTY"})
    void shouldSeeALostMessage(Kind kind) throws Exception {
        zero.accepted(1, kind, 0, S).accepted(1, kind, 1, S);
        one.handled(zero, kind, 1, 2 * S);
        assertThat(check().lost()).isEqualTo(1);
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldCoverALossByALaterEndOfThatConnection() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 2 * S);
        assertThat(check().covered()).isEqualTo(1);
        assertNone();
    }

    @Test
    void shouldNotCoverALossByTheEndOfALaterConnection() throws Exception {
        zero.connected(1, 0);
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.CLOSED, 0, 2 * S);
        zero.connected(1, 2 * S + SLACK);
        zero.accepted(1, Kind.ORDERED, 1, 3 * S + SLACK);
        zero.ended(1, Disconnect.Reason.LOST, 1_000_000, 5 * S + SLACK);
        assertThat(check().covered()).isEqualTo(1);
        assertOnly(Rule.LOST, 1);
    }

    /** The later one was made before the earlier one ended; which has ended first, is not known. */
    @Test
    void shouldCoverALossByTheEndOfEitherOfTwoConnections() throws Exception {
        zero.connected(1, 0);
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.connected(1, 2 * S + SLACK);
        zero.ended(1, Disconnect.Reason.CLOSED, 0, 3 * S + SLACK);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 4 * S + SLACK);
        check();
        assertNone();
    }

    @Test
    void shouldMissWhatAKilledNodeSentOnAConnectionThatHadEnded() throws Exception {
        FakeRun killed = run(2, NodeRun.Ending.KILLED);
        killed.connected(1, 0);
        killed.accepted(1, Kind.ORDERED, 0, S);
        killed.ended(1, Disconnect.Reason.CLOSED, 0, 2 * S);
        killed.connected(1, 2 * S + SLACK);
        killed.accepted(1, Kind.ORDERED, 1, 3 * S + SLACK);
        killed.accepted(0, Kind.ORDERED, 0, 9 * S + 2 * SLACK);
        assertThat(check().gone()).isEqualTo(2);
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldSeeAConnectionThatEndedAsUnreadable() throws Exception {
        outages.begin(1, 0);
        zero.ended(1, Disconnect.Reason.PROTOCOL_ERROR, 0, S);
        check();
        assertOnly(Rule.UNREADABLE, 1);
    }

    @Test
    void shouldNotCoverALossByAnEndWithTooFewBytes() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE - 1, 2 * S);
        check();
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldNotCoverALossByAnEndInOrder() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.CLOSED_BY_PEER, 0, 2 * S);
        check();
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldNotCoverALossByAnEarlierEnd() throws Exception {
        zero.ended(1, Disconnect.Reason.LOST, 1_000_000, S);
        zero.accepted(1, Kind.ORDERED, 0, 2 * S);
        check();
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldNotCoverALossByTheEndOfAnotherPeerOrRun() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(2, Disconnect.Reason.LOST, 1_000_000, 2 * S);
        run(0, NodeRun.Ending.CLOSED).ended(1, Disconnect.Reason.LOST, 1_000_000, 2 * S);
        check();
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldUseEachUnconfirmedByteOnce() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.accepted(1, Kind.ORDERED, 1, S);
        zero.accepted(1, Kind.ORDERED, 2, S);
        zero.ended(1, Disconnect.Reason.LOST, 2 * MESSAGE, 2 * S);
        check();
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldCoverByEachEndWhatOnlyItCanCover() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 2 * S);
        zero.accepted(1, Kind.ORDERED, 1, 3 * S);
        zero.ended(1, Disconnect.Reason.STALLED, MESSAGE, 4 * S);
        check();
        assertNone();
    }

    @Test
    void shouldNotLetTwoEndsCoverTwoMessagesAfterTheFirstOfThem() throws Exception {
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 2 * S);
        zero.accepted(1, Kind.ORDERED, 0, 3 * S);
        zero.accepted(1, Kind.ORDERED, 1, 3 * S);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 4 * S);
        check();
        assertOnly(Rule.LOST, 1);
    }

    @Test
    void shouldSeeAMessageThatFailedAndWasHandled() throws Exception {
        zero.sent(1, Kind.ORDERED, 0, Outcome.EXPORT_FAILED, PAYLOAD, S);
        zero.sent(1, Kind.ORDERED, 1, Outcome.EXPORT_FAILED, PAYLOAD, S);
        one.handled(zero, Kind.ORDERED, 1, 2 * S);
        check();
        assertOnly(Rule.FAILED_HANDLED, 1);
    }

    @Test
    void shouldSeeARequestThatWasAnsweredAndNotHandled() throws Exception {
        zero.sent(1, Kind.REQUEST, 0, Outcome.ANSWERED, PAYLOAD, S);
        check();
        assertOnly(Rule.ANSWERED_UNHANDLED, 1);
    }

    // ---------------------------------------------------------------- twice, never sent

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSeeAMessageThatWasHandledTwice(Kind kind) throws Exception {
        zero.sent(1, kind, 0, kind == Kind.REQUEST ? Outcome.ANSWERED : Outcome.ACCEPTED, PAYLOAD, S);
        one.handled(zero, kind, 0, 2 * S).handled(zero, kind, 0, 3 * S);
        check();
        assertOnly(Rule.TWICE, 1);
    }

    @Test
    void shouldSeeAMessageThatTwoRunsHandled() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        one.handled(zero, Kind.ORDERED, 0, 2 * S);
        run(1, NodeRun.Ending.CLOSED).handled(zero, Kind.ORDERED, 0, 3 * S);
        check();
        assertOnly(Rule.TWICE, 1);
    }

    @Test
    void shouldSeeAMessageThatWasNeverSent() throws Exception {
        one.handled(zero, Kind.LOOSE, 7, 2 * S);
        check();
        assertOnly(Rule.FOREIGN, 1);
    }

    @Test
    void shouldSeeAMessageThatReachedTheWrongNode() throws Exception {
        zero.accepted(2, Kind.LOOSE, 0, S);
        one.handled(zero, Kind.LOOSE, 0, 2 * S);
        check();
        assertThat(findings.count(Rule.FOREIGN)).isEqualTo(1);
        assertThat(findings.count(Rule.LOST)).isEqualTo(1);
    }

    // ---------------------------------------------------------------- whenHandled

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ORDERED", "REUSED", "LOOSE", "REQUEST"})
    void shouldSeeAMessageThatIsHandledAfterWhenHandledCompleted(Kind kind) throws Exception {
        zero.sent(1, kind, 0, kind == Kind.REQUEST ? Outcome.ANSWERED : Outcome.ACCEPTED, PAYLOAD, S);
        zero.passed(1, 2 * S, 3 * S);
        one.handled(zero, kind, 0, 3 * S + 1);
        assertThat(check().barriers()).isEqualTo(1);
        assertOnly(Rule.UNHANDLED, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSeeACallbackThatReturnsAfterWhenHandledCompleted(boolean returns) throws Exception {
        zero.sent(1, Kind.VALUE, 0, Outcome.ACCEPTED, PAYLOAD, S);
        zero.passed(1, 2 * S, 3 * S);
        one.handled(zero, Kind.VALUE, 0, 2 * S, returns ? 3 * S + 1 : 0);
        check();
        assertOnly(Rule.UNHANDLED, 1);
    }

    /** An executor runs their handlers. */
    @Test
    void shouldNotOrderRecordsAmongOtherMessages() throws Exception {
        for (int i = 0; i < 4; i++) {
            zero.accepted(1, i % 2 == 0 ? Kind.VALUE : Kind.ORDERED, i, S);
        }
        one.handled(zero, Kind.ORDERED, 1, 2 * S).handled(zero, Kind.ORDERED, 3, 2 * S + 1);
        one.handled(zero, Kind.VALUE, 0, 2 * S + 2).handled(zero, Kind.VALUE, 2, 2 * S + 3);
        check();
        assertNone();
    }

    @Test
    void shouldSeeThatRecordsAreReordered() throws Exception {
        zero.accepted(1, Kind.VALUE, 0, S).accepted(1, Kind.VALUE, 1, S);
        one.handled(zero, Kind.VALUE, 1, 2 * S).handled(zero, Kind.VALUE, 0, 2 * S + 1);
        check();
        assertOnly(Rule.REORDERED, 1);
    }

    @Test
    void shouldSeeThatARefusedMessageIsHandled() throws Exception {
        zero.sent(1, Kind.VALUE, 0, Outcome.REFUSED, PAYLOAD, S);
        zero.sent(1, Kind.VALUE, 1, Outcome.REFUSED, PAYLOAD, S);
        one.handled(zero, Kind.VALUE, 1, 2 * S);
        check();
        assertOnly(Rule.FAILED_HANDLED, 1);
    }

    @Test
    void shouldSeeThatWhenHandledDoesNotWaitForTheOneBefore() throws Exception {
        zero.accepted(1, Kind.LOOSE, 0, S);
        zero.passed(1, 2 * S, 9 * S).passed(1, 3 * S, 4 * S);
        one.handled(zero, Kind.LOOSE, 0, 5 * S);
        check();
        assertOnly(Rule.UNHANDLED, 1);
    }

    @Test
    void shouldAcceptWhatIsHandledBeforeOrSentAfterOrSentToAnotherNode() throws Exception {
        zero.accepted(1, Kind.LOOSE, 0, S);
        zero.passed(1, 2 * S, 3 * S).passed(2, 6 * S, 7 * S);
        zero.accepted(1, Kind.LOOSE, 1, 2 * S); // its send returned after the call
        zero.accepted(1, Kind.LOOSE, 2, 5 * S);
        one.handled(zero, Kind.LOOSE, 0, 3 * S - 1);
        one.handled(zero, Kind.LOOSE, 1, 4 * S);
        one.handled(zero, Kind.LOOSE, 2, 8 * S);
        check();
        assertNone();
    }

    @Test
    void shouldExcuseAnUnhandledMessageByAReportOnly() throws Exception {
        zero.accepted(1, Kind.LOOSE, 0, S);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 3 * S + 1);
        zero.passed(1, 2 * S, 3 * S);
        zero.accepted(1, Kind.LOOSE, 1, 20 * S);
        zero.passed(1, 21 * S, 22 * S);
        zero.rejected(1, 1, 33 * S); // too late for the answer, in time for the account
        check();
        assertOnly(Rule.UNHANDLED, 1);
    }

    // ---------------------------------------------------------------- order

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ORDERED", "REUSED"})
    void shouldSeeAMessageOutOfOrder(Kind kind) throws Exception {
        zero.accepted(1, kind, 0, S).accepted(1, kind, 1, S + 1);
        one.handled(zero, kind, 1, 2 * S).handled(zero, kind, 0, 2 * S + 1);
        check();
        assertOnly(Rule.REORDERED, 1);
    }

    @Test
    void shouldSeeTwoExclusiveTypesOutOfOrder() throws Exception {
        zero.accepted(1, Kind.REUSED, 0, S).accepted(1, Kind.ORDERED, 1, S + 1);
        one.handled(zero, Kind.ORDERED, 1, 2 * S).handled(zero, Kind.REUSED, 0, 2 * S + 1);
        check();
        assertOnly(Rule.REORDERED, 1);
    }

    @Test
    void shouldLetLooseMessagesOvertake() throws Exception {
        zero.accepted(1, Kind.LOOSE, 0, S).accepted(1, Kind.ORDERED, 1, S + 1);
        one.handled(zero, Kind.ORDERED, 1, 2 * S).handled(zero, Kind.LOOSE, 0, 2 * S + 1);
        check();
        assertNone();
    }

    @Test
    void shouldExcuseTheOrderAcrossAReportedLossOnly() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.LOST, MESSAGE, 2 * S);
        zero.accepted(1, Kind.ORDERED, 1, 3 * S);
        one.handled(zero, Kind.ORDERED, 1, 4 * S).handled(zero, Kind.ORDERED, 0, 5 * S);
        check();
        assertNone();
    }

    @Test
    void shouldKeepTheOrderAcrossAnEndInOrder() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        zero.ended(1, Disconnect.Reason.DISMISSED, 0, 2 * S);
        zero.accepted(1, Kind.ORDERED, 1, 3 * S);
        one.handled(zero, Kind.ORDERED, 1, 4 * S).handled(zero, Kind.ORDERED, 0, 5 * S);
        check();
        assertOnly(Rule.REORDERED, 1);
    }

    // ---------------------------------------------------------------- calls, reports, what nodes saw

    @Test
    void shouldSeeACallThatNeverReturned() throws Exception {
        zero.sent(1, Kind.REQUEST, 0, Outcome.INTENT, PAYLOAD, S);
        check();
        assertOnly(Rule.OVERDUE, 1);
    }

    @Test
    void shouldSeeThatAHealthyNodeWasCalledUnreachable() throws Exception {
        orderly = true;
        zero.sent(1, Kind.ORDERED, 0, Outcome.UNREACHABLE, PAYLOAD, S);
        assertThat(check().unreachableHealthy()).isEqualTo(1);
        assertOnly(Rule.UNREACHABLE, 1);
    }

    @Test
    void shouldLetANodeThatIsAwayBeUnreachable() throws Exception {
        orderly = true;
        outages.begin(1, 0);
        outages.end(1, 2 * S);
        zero.sent(1, Kind.ORDERED, 0, Outcome.UNREACHABLE, PAYLOAD, S);
        zero.sent(1, Kind.ORDERED, 1, Outcome.UNREACHABLE, PAYLOAD, 3 * S);
        check();
        assertOnly(Rule.UNREACHABLE, 1);
    }

    /** The books have a call's duration in whole milliseconds. */
    @ParameterizedTest
    @EnumSource(
            value = Outcome.class,
            names = {"UNREACHABLE", "CONNECTION_LOST"})
    void shouldExcuseAFailureByAnOutageInTheLastPartOfAMillisecond(Outcome outcome) throws Exception {
        orderly = true;
        outages.begin(1, S + TimeUnit.MICROSECONDS.toNanos(1_500));
        zero.sent(1, Kind.REQUEST, 0, outcome, PAYLOAD, S);
        check();
        assertNone();
    }

    @ParameterizedTest
    @EnumSource(
            value = Outcome.class,
            names = {"CONNECTION_LOST", "SEND_TIMEOUT", "REQUEST_TIMEOUT", "NET_CLOSED"})
    void shouldSeeThatALossWasReportedBetweenHealthyNodes(Outcome outcome) throws Exception {
        orderly = true;
        zero.sent(1, Kind.REQUEST, 0, outcome, PAYLOAD, S);
        assertThat(check().toldHealthy()).isEqualTo(1);
        assertOnly(Rule.TOLD_THOUGH_HEALTHY, 1);
    }

    @Test
    void shouldSeeThatAnEndReportedALossBetweenHealthyNodes() throws Exception {
        orderly = true;
        zero.ended(1, Disconnect.Reason.DISMISSED, 5, S);
        check();
        assertOnly(Rule.TOLD_THOUGH_HEALTHY, 1);
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    void shouldReportWhatANodeItselfSaw(Rule rule) throws Exception {
        zero.breach(rule, "a text\nof two lines\twith a tab");
        check();
        assertOnly(rule, 1);
        assertThat(findings.first(1).getFirst()).contains("a text\nof two lines with a tab");
    }

    @Test
    void shouldNoteTheTextsOfFailedCallsThoseBetweenHealthyNodesFirst() throws Exception {
        outages.begin(1, S);
        outages.end(1, 2 * S);
        zero.failed(1, "ORDERED 3 of lane 2", 4, "a text", 2 * S + TimeUnit.MILLISECONDS.toNanos(4));
        zero.failed(1, "REQUEST 7 of lane 2", 1, "another text", 3 * S);
        check();
        assertNone();
        assertThat(findings.notes())
                .containsExactly(
                        "node 0 (run 0) to node 1 at 3.000 s, after 1 ms: REQUEST 7 of lane 2: another text",
                        "node 0 (run 0) to node 1 at 2.004 s, after 4 ms, one of them not healthy: "
                                + "ORDERED 3 of lane 2: a text");
    }

    @Test
    void shouldNoteAndCountResponsesThatCouldNotBeSent() throws Exception {
        orderly = true;
        one.unsent(0, "response to REQUEST 7 of lane 2 of run 0", 1, "a text", 3 * S);
        assertThat(check().unsent()).isEqualTo(1);
        assertNone();
        assertThat(findings.notes())
                .containsExactly("node 1 (run 1) to node 0 at 3.000 s, after 1 ms: "
                        + "response to REQUEST 7 of lane 2 of run 0: a text");
    }

    @Test
    void shouldKeepTheFirstNotesOfTheRoundsWithViolations() {
        Findings all = new Findings();
        for (int round = 0; round < 4; round++) {
            Findings ofRound = new Findings();
            for (int i = 0; i < 8; i++) {
                ofRound.note(round + ":" + i);
            }
            if (round != 0) {
                ofRound.add(Rule.LOST, "a violation");
            }
            all.add(ofRound);
        }
        assertThat(all.notes()).hasSize(20).startsWith("1:0").endsWith("3:3");
    }

    // ---------------------------------------------------------------- books of killed processes

    @Test
    void shouldReadABookWhoseLastRecordsAreNotWhole() throws Exception {
        zero.accepted(1, Kind.ORDERED, 0, S);
        one.handled(zero, Kind.ORDERED, 0, 2 * S);
        try (MappedLog log = MappedLog.create(directory.resolve("torn"), 24, 10)) {
            log.claim();
            assertThat(log.count()).isEqualTo(1);
        }
        try (SentBook torn = SentBook.open(directory.resolve("torn"))) {
            torn.read((lane, receiver, kind, sequence, outcome, bytes, fromNs, ms) -> {
                throw new AssertionError("a record that was never written was read");
            });
        }
        zero.breach(Rule.ERROR, "whole");
        for (FakeRun run : runs) {
            run.close();
        }
        Path events = Books.eventFile(directory, 0);
        Files.writeString(events, "end\t1\t12", StandardOpenOption.APPEND);
        assertThat(EventBook.read(events).breaches()).hasSize(1);
        assertThat(EventBook.read(events).ends()).isEmpty();
    }

    @Test
    void shouldAcceptAsManyMissingMessagesAsWereRejected() throws Exception {
        for (int i = 0; i < 5; i++) {
            zero.accepted(1, Kind.ORDERED, i, S + i);
        }
        zero.rejected(1, 3, 2 * S);
        zero.accepted(1, Kind.ORDERED, 5, 3 * S); // after the report
        Tally tally = check();
        assertOnly(Rule.LOST, 3);
        assertThat(tally.rejected()).isEqualTo(3);
        assertThat(tally.covered()).isEqualTo(3);
    }
}
