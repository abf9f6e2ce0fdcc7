package io.dxnet.runtime.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.MessagingUsageException;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.contract.Cluster;
import io.dxnet.runtime.OnceFullFuture;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.thread.Completions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestMapTest {
    private static final Completions COMPLETIONS = new Completions("test-completer", (what, error) -> {});

    private static final class Answer extends Response {}

    private static final class Ask extends Request<Answer> {
        Ask(int destination) {
            super(destination, 1, 2);
        }
    }

    private static PendingRequest request(int destination) {
        return PendingRequest.async(new Ask(destination), Duration.ofDays(1), new CompletableFuture<>(), COMPLETIONS);
    }

    @Test
    void shouldCompleteTheRequestOfThatIdAndConnection() {
        RequestMap map = new RequestMap(16, half -> {});
        PeerConnection connection = Buffers.connection(3);
        PendingRequest request = request(3);
        request.connection = connection;
        assertThat(map.tryAdd(request)).isTrue();
        assertThat(map.hasAsync()).isTrue();
        Answer answer = new Answer();
        assertThat(map.complete(request.id + 1, connection, answer))
                .as("another id")
                .isFalse();
        assertThat(map.complete(request.id + 16, connection, answer))
                .as("the same place, another id")
                .isFalse();
        assertThat(map.complete(request.id, Buffers.connection(3), answer))
                .as("another connection to that node")
                .isFalse();
        assertThat(request.isDone()).isFalse();
        assertThat(map.complete(request.id, connection, answer)).isTrue();
        assertThat(request.future.join()).isSameAs(answer);
        assertThat(map.complete(request.id, connection, answer))
                .as("a second answer")
                .isFalse();
        assertThat(map.dropped()).isEqualTo(4);
        assertThat(map.outstanding()).isZero();
        assertThat(map.hasAsync()).isFalse();
    }

    /** Else a response that is late by 2^24 requests would complete another request. */
    @Test
    void shouldAnnounceTheHalfWhoseIdsAreUsedAgainBeforeTheyAre() {
        List<Integer> halves = new ArrayList<>();
        RequestMap map = new RequestMap(16, halves::add);
        for (int round = 0; round < 2; round++) {
            for (int half = 0; half < 2; half++) {
                map.nextId((half << 23) + (1 << 22));
                for (int i = 0; i < 1 << 22 && halves.size() <= 2 * round + half; i++) {
                    PendingRequest request = request(1);
                    map.tryAdd(request);
                    assertThat(RequestMap.half(request.id)).isEqualTo(half);
                    map.remove(request);
                }
            }
        }
        assertThat(halves).containsExactly(1, 0, 1, 0);
    }

    private static PendingRequest add(RequestMap map, int id) {
        PendingRequest request = request(1);
        map.nextId(id);
        map.tryAdd(request);
        assertThat(request.id).isEqualTo(id);
        return request;
    }

    /** Between the check for the half's next use and that use, no other check would find it. */
    @Test
    void shouldAnnounceTheHalfOfARequestThatIsAbandonedAfterItsCheck() {
        int half = 1 << 23;
        int check = (half - 1) / 4 * 3; // in the other half
        int[][] checked = {
            {5, half + check + 1},
            {5, 2 * half - 1},
            {5, 0},
            {5, 5},
            {half - 1, half - 1},
            {half - 1, half + check + 1},
            {half, check + 1},
            {half + 7, half},
            {2 * half - 1, 2 * half - 1}
        };
        int[][] unchecked = {
            {5, 6},
            {5, half - 1},
            {5, half},
            {5, half + check},
            {half - 1, half},
            {half, half + 1},
            {half, 0},
            {2 * half - 1, 0},
            {2 * half - 1, check}
        };
        for (int[] each : checked) {
            assertThat(announced(each[0], each[1])).as("%s", each).containsExactly(each[0] / half);
        }
        for (int[] each : unchecked) {
            assertThat(announced(each[0], each[1])).as("%s", each).isEmpty();
        }
    }

    /** The halves that are announced where the request is abandoned when another id is next. */
    private static List<Integer> announced(int id, int next) {
        List<Integer> halves = new ArrayList<>();
        PeerConnection connection = Buffers.connection(1);
        RequestMap map = new RequestMap(16, half -> {
            assertThat(connection.hasAbandoned(half)).isTrue();
            halves.add(half);
        });
        PendingRequest request = add(map, id);
        request.connection(connection);
        map.nextId(next);
        assertThat(map.drop(request)).isTrue();
        assertThat(map.drop(request)).isFalse();
        assertThat(connection.hasAbandoned(RequestMap.half(id))).isTrue();
        return halves;
    }

    /** It ended by its time limit while its thread waited for a connection, and is sent then. */
    @Test
    void shouldMarkTheConnectionThatAnAbandonedRequestIsSentOn() {
        RequestMap map = new RequestMap(16, half -> {});
        PendingRequest request = add(map, 3);
        map.drop(request);
        request.connection(null);
        PeerConnection connection = Buffers.connection(1);
        request.connection(connection);
        assertThat(connection.hasAbandoned(0)).isTrue();
        assertThat(connection.hasAbandoned(1)).isFalse();
    }

    @Test
    void shouldRefuseWhenAllPlacesAreTakenAndTakeOneAgainWhenOneIsFree() {
        RequestMap map = new RequestMap(16, half -> {});
        List<PendingRequest> requests = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            requests.add(request(1));
            assertThat(map.tryAdd(requests.get(i))).isTrue();
        }
        assertThat(map.outstanding()).isEqualTo(16);
        assertThat(map.tryAdd(request(1))).isFalse();
        assertThat(map.remove(requests.get(5))).isTrue();
        assertThat(map.remove(requests.get(5))).isFalse();
        // Whichever id comes next, the free place is found.
        assertThat(map.tryAdd(request(1))).isTrue();
        assertThat(map.outstanding()).isEqualTo(16);
    }

    @Test
    void shouldFailTheRequestsOfOneConnectionOnly() {
        RequestMap map = new RequestMap(16, half -> {});
        PeerConnection lost = Buffers.connection(1);
        PeerConnection kept = Buffers.connection(2);
        PendingRequest onLost = request(1);
        PendingRequest onKept = request(2);
        onLost.connection = lost;
        onKept.connection = kept;
        map.tryAdd(onLost);
        map.tryAdd(onKept);
        assertThat(map.hasAny(lost)).isTrue();
        assertThat(map.failAll(request -> request.connection == lost, request -> new IllegalStateException("lost")))
                .isEqualTo(1);
        assertThatThrownBy(onLost.future::join).hasRootCauseMessage("lost");
        assertThat(onKept.isDone()).isFalse();
        assertThat(map.hasAny(lost)).isFalse();
        assertThat(map.hasAny(kept)).isTrue();
    }

    /** Else its sender would wait for ever: it is not in the map any more. */
    @Test
    void shouldEndARequestWhoseReasonCannotBeMade() {
        RequestMap map = new RequestMap(16, half -> {});
        PeerConnection connection = Buffers.connection(1);
        List<PendingRequest> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            PendingRequest request = request(1);
            request.connection = connection;
            map.tryAdd(request);
            requests.add(request);
        }
        OutOfMemoryError full = new OutOfMemoryError("of the reason");
        assertThat(map.fail(requests.get(0).id, connection, ended -> {
                    throw full;
                }))
                .isTrue();
        assertThat(map.failAll(ended -> true, ended -> {
                    throw full;
                }))
                .isEqualTo(2);
        for (PendingRequest request : requests) {
            assertThat(request.failure()).isSameAs(full);
            assertThatThrownBy(request.future::join).hasCause(full);
        }
        assertThat(map.outstanding()).isZero();
    }

    @Test
    void shouldCompleteAFutureThatHadNoMemory() {
        RequestMap map = new RequestMap(16, half -> {});
        CompletableFuture<Object> future = new OnceFullFuture<>();
        PendingRequest request = PendingRequest.async(new Ask(1), Duration.ofDays(1), future, COMPLETIONS);
        map.tryAdd(request);
        IllegalStateException lost = new IllegalStateException("lost");
        map.failAll(each -> true, each -> lost);
        Cluster.await("the future", () -> {
            COMPLETIONS.tick();
            return future.isDone();
        });
        assertThatThrownBy(future::join).hasCause(lost);
        assertThat(request.mayRepeat()).isFalse();
    }

    private static final class Other extends Response {}

    @Test
    void shouldFailARequestThatIsAnsweredByAnotherClass() {
        RequestMap map = new RequestMap(16, half -> {});
        PeerConnection connection = Buffers.connection(1);
        PendingRequest request = request(1);
        request.connection = connection;
        map.tryAdd(request);
        assertThat(map.complete(request.id, connection, new Other())).isTrue();
        assertThatThrownBy(request.future::join).hasRootCauseInstanceOf(MessagingUsageException.class);
    }

    // ---------------------------------------------------------------- one that is used again

    /** Its answer is used again. */
    private static final class Ping extends ServiceRequest<Answer> {
        private final Answer answer = new Answer();

        Ping() {
            super(3, 1);
        }

        @Override
        protected Answer emptyResponse() {
            return answer;
        }
    }

    private static void send(RequestMap map, PendingRequest pending, Ping ping, PeerConnection by) {
        pending.begin(ping, Long.MAX_VALUE);
        assertThat(map.tryAdd(pending)).isTrue();
        pending.connection(by);
        pending.sent();
    }

    private static void answer(RequestMap map, int id, PeerConnection by, Ping ping) {
        Response response = map.emptyResponse(id, by, ping.key());
        assertThat(response).isSameAs(ping.answer);
        assertThat(map.complete(id, by, response)).isTrue();
    }

    @Test
    void shouldStandForOneRequestAfterTheOther() {
        RequestMap map = new RequestMap(2, half -> {});
        PendingRequest pending = PendingRequest.reusable();
        Ping ping = new Ping();
        for (int i = 0; i < 10; i++) {
            PeerConnection connection = Buffers.connection(3);
            send(map, pending, ping, connection);
            assertThat(pending.isDone()).isFalse();
            answer(map, pending.id, connection, ping);
            assertThat(pending.isDone()).isTrue();
            assertThat(pending.response()).isSameAs(ping.answer);
            assertThat(map.outstanding()).isZero();
            pending.forget();
        }
    }

    /** Else a faulty peer changes an answer while it is read, or the next one. */
    @Test
    void shouldHaveOneAnswerToARequestOfAService() {
        RequestMap map = new RequestMap(2, half -> {});
        PendingRequest pending = PendingRequest.reusable();
        Ping ping = new Ping();
        PeerConnection connection = Buffers.connection(3);
        send(map, pending, ping, connection);
        assertThat(map.emptyResponse(pending.id, connection, ping.key())).isSameAs(ping.answer);
        assertThat(map.emptyResponse(pending.id, connection, ping.key())).isNull();
        int first = pending.id;
        map.complete(first, connection, ping.answer);
        pending.forget();
        send(map, pending, ping, connection);
        assertThat(map.emptyResponse(first, connection, ping.key())).isNull();
        assertThat(map.complete(first, connection, ping.answer)).isFalse();
        assertThat(pending.isDone()).isFalse();
        answer(map, pending.id, connection, ping);
    }

    @Test
    void shouldEndARequestOnceInEachUse() {
        RequestMap map = new RequestMap(2, half -> {});
        PendingRequest pending = PendingRequest.reusable();
        Ping ping = new Ping();
        PeerConnection connection = Buffers.connection(3);
        send(map, pending, ping, connection);
        int use = pending.use();
        assertThat(pending.close(use)).isTrue();
        assertThat(pending.close(use)).isFalse();
        assertThat(pending.close(pending.use())).as("it is closed").isFalse();
        pending.end(ping.answer, null);
        pending.begin(ping, Long.MAX_VALUE);
        pending.open();
        assertThat(pending.close(use)).as("an earlier use").isFalse();
        assertThat(pending.close(pending.use())).isTrue();
    }
}
