package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.dxnet.DXNetConfig;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reported of an operation whose pieces ended in several ways, in each order. */
class ProgressTest {
    private static final IdleStrategies STRATEGIES =
            new IdleStrategies(DXNetConfig.builder().build());

    @ParameterizedTest
    @CsvSource({
        "WRITE, false, NOT_DONE NOT_DONE, NOT_DONE",
        "WRITE, false, NOT_DONE UNKNOWN, UNKNOWN",
        "WRITE, false, UNKNOWN NOT_DONE, UNKNOWN",
        "WRITE, true, NOT_DONE, UNKNOWN",
        "WRITE, true, NOT_DONE NOT_DONE, UNKNOWN",
        "READ, true, NOT_DONE, NOT_DONE",
        "READ, false, NOT_DONE NOT_DONE, NOT_DONE"
    })
    void shouldReportWhatIsKnownOfAllPieces(Kind kind, boolean isOneDone, String pieces, Outcome reported) {
        Failures failures = new Failures(0, "region");
        Result result = new Result(failures);
        result.begin(1);
        Progress progress = new Progress(new PostedOperation(
                null, kind, 0, Arena.ofAuto().allocate(8), 8, 0, 0, false, Long.MAX_VALUE, result, -1, null));
        if (isOneDone) {
            progress.done(0);
        }
        for (String each : List.of(pieces.split(" "))) {
            progress.failed(failures.late(Outcome.valueOf(each)));
        }
        progress.end();
        assertThatExceptionOfType(RemoteMemoryException.TimedOut.class)
                .isThrownBy(() -> result.await(STRATEGIES, System.nanoTime()))
                .satisfies(e -> assertThat(e.outcome()).isEqualTo(reported));
    }

    /** As where a region is closed while the thread that waited begins its next operation. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotEndALaterUseOfItsOperation(boolean fails) {
        Failures failures = new Failures(0, "region");
        Result result = new Result(failures);
        result.begin(1);
        MemorySegment local = Arena.ofAuto().allocate(8);
        PostedOperation operation =
                new PostedOperation(null, Kind.WRITE, 0, local, 8, 0, 0, false, Long.MAX_VALUE, result, -1, null);
        Progress earlier = new Progress(operation);
        operation.done(0);
        operation.again(null, Kind.WRITE, 8, local, 8, 0, 0, Long.MAX_VALUE / 2);
        result.beginAgain(1);
        if (fails) {
            earlier.failAll(failures.late(Outcome.UNKNOWN));
        } else {
            earlier.end();
        }
        assertThat(result.isDone()).isFalse();
        new Progress(operation).end();
        assertThat(result.isDone()).isTrue();
        assertThatNoException().isThrownBy(() -> result.await(STRATEGIES, System.nanoTime()));
    }
}
