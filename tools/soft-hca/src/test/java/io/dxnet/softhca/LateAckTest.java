package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.softhca.roce.Psn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateAckTest {
    private static final int SOURCE = 0xc0a8_0001; // its highest bit is set
    private static final int OTHER = 0x7f00_0002;

    private final LateAck late = new LateAck();
    private final SpinLock lock = new SpinLock();
    private final List<String> processed = new ArrayList<>();

    private boolean process() {
        return late.process(
                lock, ack -> processed.add(Integer.toHexString(LateAck.source(ack)) + " " + LateAck.psn(ack)));
    }

    @Test
    void shouldProcessNothingAtFirst() {
        process();
        assertThat(processed).isEmpty();
    }

    @Test
    void shouldProcessTheNewestOnce() {
        late.leave(SOURCE, 7);
        late.leave(SOURCE, 9);
        late.leave(SOURCE, 8); // overtaken on the way
        process();
        process();
        assertThat(processed).containsExactly("c0a80001 9");
    }

    @Test
    void shouldProcessTheNewestWhereNumbersWrap() {
        late.leave(SOURCE, Psn.MASK);
        late.leave(SOURCE, 0);
        late.leave(SOURCE, Psn.MASK - 1);
        process();
        assertThat(processed).containsExactly("c0a80001 0");
    }

    @Test
    void shouldProcessTheLastWhereSendersDiffer() {
        late.leave(SOURCE, 9);
        late.leave(OTHER, 3);
        process();
        assertThat(processed).containsExactly("7f000002 3");
    }

    @Test
    void shouldKnowNumberZeroOfAddressZero() {
        late.leave(0, 0);
        process();
        assertThat(processed).containsExactly("0 0");
    }

    /** The number of another connection, or of none: the machine that knows its window decides. */
    @Test
    void shouldNotChooseBetweenNumbersThatAreFarApart() {
        assertThat(late.leave(SOURCE, 7)).isTrue();
        assertThat(late.leave(SOURCE, 5_000_000)).isFalse();
        assertThat(late.leave(SOURCE, 7 - 5_000_000 & Psn.MASK)).isFalse();
        process();
        assertThat(processed).containsExactly("c0a80001 7");
    }

    @Test
    void shouldForgetWhatWasOfAnEarlierConnection() {
        late.leave(SOURCE, 7);
        late.clear();
        process();
        assertThat(processed).isEmpty();
    }

    /** A thread that posts is not kept for as long as acknowledgements come. */
    @Test
    void shouldReturnWhereOneComesWhileTheLastIsProcessed() {
        late.leave(SOURCE, 1);
        int[] psn = {1};
        boolean isLeft = late.process(lock, ack -> {
            assertThat(LateAck.psn(ack)).isEqualTo(psn[0]);
            late.leave(SOURCE, ++psn[0]);
        });
        assertThat(isLeft).isTrue();
        assertThat(psn[0]).isEqualTo(3);
        assertThat(process()).isFalse();
        assertThat(processed).containsExactly("c0a80001 3");
    }

    @Test
    void shouldLeaveItToTheHolderOfTheLock() {
        lock.lock();
        late.leave(SOURCE, 5);
        process();
        assertThat(processed).isEmpty();
        lock.unlock();
        process();
        assertThat(processed).containsExactly("c0a80001 5");
        assertThat(lock.tryLock()).isTrue();
    }
}
