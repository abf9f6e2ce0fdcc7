package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.FlawedRegion.Flaw;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a round finds where remote memory does not do what it promises. */
@Timeout(60)
class MemoryFaultsTest {
    private static final int SIZE = 100;
    private static final int MESSAGES = 10;
    private static final int[] IDS = {0, 1};

    private final Errors errors = new Errors();
    private DXNet net;

    @AfterEach
    void close() {
        net.close();
    }

    private Round round(int own, Pattern pattern, Flaw flaw) {
        DXNetConfig config = DXNetConfig.builder().transport("loopback").build();
        net = new DXNet(config, new NodeMap(own).put(own, "127.0.0.1:0"));
        RoundSpec spec =
                new RoundSpec(1, pattern, SIZE, 1, MESSAGES, 0, true, Api.MESSAGES, 1, 1, 0, false, 1_000_000_000, IDS);
        FlawedRegion region = new FlawedRegion(Slices.of(spec).bytes(), flaw);
        if (pattern == Pattern.READ) {
            new SlotContent().fill(region.segment.asSlice(0, SIZE), Payload.streamKey(0, 1, 0, 1), 0);
        }
        return new Round(net, spec, new AttachedMemory(List.of(region)), errors);
    }

    private Faults faults(Pattern pattern, Flaw flaw) throws Exception {
        Round round = round(0, pattern, flaw);
        carryOut(round);
        if (errors.count() == 0) {
            round.checkCounters();
        }
        return round.faults(0);
    }

    private static void carryOut(Round round) throws InterruptedException {
        round.startThreads();
        round.start();
        synchronized (round) {
            while (!round.sendersEnded()) {
                round.wait();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ", "WRITE", "ATOMIC", "NOTIFY"})
    void shouldFindNothingWhereAllIsWell(Pattern pattern) throws Exception {
        assertThat(faults(pattern, Flaw.NONE)).isEqualTo(Faults.NONE);
        assertThat(errors.count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "READ, WRONG_BIT, 7",
        "WRITE, WRONG_BIT, 9",
        "WRITE, NOT_DONE, 8",
        "NOTIFY, NOT_DONE, 8",
        "ATOMIC, NOT_DONE, 6",
        "ATOMIC, DONE_TWICE, 0"
    })
    void shouldCountWhatIsNotAsItMustBe(Pattern pattern, Flaw flaw, long corrupted) throws Exception {
        assertThat(faults(pattern, flaw).corrupted()).isEqualTo(corrupted);
    }

    @Test
    void shouldCountAdditionsThatWereNotCarriedOut() throws Exception {
        Faults faults = faults(Pattern.ATOMIC, Flaw.NOT_DONE);
        assertThat(faults.lost()).isEqualTo(7);
        assertThat(faults.duplicated()).isZero();
    }

    @Test
    void shouldCountAdditionsThatWereCarriedOutTwice() throws Exception {
        Faults faults = faults(Pattern.ATOMIC, Flaw.DONE_TWICE);
        assertThat(faults.duplicated()).isEqualTo(7);
        assertThat(faults.lost()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ", "WRITE", "ATOMIC", "NOTIFY"})
    void shouldNameTheOperationThatFailed(Pattern pattern) throws Exception {
        faults(pattern, Flaw.REVOKED);
        assertThat(errors.count()).isEqualTo(1);
        assertThat(errors.first())
                .contains("node 0, sending thread 0")
                .contains(pattern.label() + " of 100 bytes of region flawed of node 1 failed")
                .contains("RegionRevoked");
    }

    @Test
    void shouldCountAtTheSenderWhatNoReceiverNotices() throws Exception {
        Round round = round(0, Pattern.WRITE, Flaw.NONE);
        carryOut(round);
        assertThat(round.processed(0)).isEqualTo(MESSAGES);
    }

    @Test
    void shouldCheckNotificationsAtTheOwner() {
        Round round = round(1, Pattern.NOTIFY, Flaw.NONE);
        for (int value : new int[] {0, 2, 1, 1, 5}) {
            round.onNotified(0, 0, SIZE, value);
        }
        round.onNotified(0, 0, SIZE - 1, 6);
        round.announced(0, new long[] {6});
        assertThat(round.processed(6)).isEqualTo(6);
        assertThat(round.faults(6)).isEqualTo(new Faults(1, 1, 1, 1));
    }
}
