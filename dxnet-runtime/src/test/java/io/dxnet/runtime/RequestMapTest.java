package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestMapTest {
    private static final class Answer extends Response {}

    private static PendingRequest request(int destination) {
        return new PendingRequest(destination, "Ask", null, new CompletableFuture<>(), Long.MAX_VALUE);
    }

    @Test
    void shouldCompleteTheRequestOfThatIdAndNode() {
        RequestMap map = new RequestMap(16);
        PendingRequest request = request(3);
        assertThat(map.tryAdd(request)).isTrue();
        assertThat(map.hasAsync()).isTrue();
        Answer answer = new Answer();
        assertThat(map.complete(request.id + 1, 3, answer)).as("another id").isFalse();
        assertThat(map.complete(request.id + 16, 3, answer))
                .as("the same place, another id")
                .isFalse();
        assertThat(map.complete(request.id, 4, answer)).as("another node").isFalse();
        assertThat(request.isDone()).isFalse();
        assertThat(map.complete(request.id, 3, answer)).isTrue();
        assertThat(request.future.join()).isSameAs(answer);
        assertThat(map.complete(request.id, 3, answer)).as("a second answer").isFalse();
        assertThat(map.dropped()).isEqualTo(4);
        assertThat(map.outstanding()).isZero();
        assertThat(map.hasAsync()).isFalse();
    }

    @Test
    void shouldRefuseWhenAllPlacesAreTakenAndTakeOneAgainWhenOneIsFree() {
        RequestMap map = new RequestMap(16);
        List<PendingRequest> requests = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            requests.add(request(1));
            assertThat(map.tryAdd(requests.get(i))).isTrue();
        }
        assertThat(map.outstanding()).isEqualTo(16);
        assertThat(map.tryAdd(request(1))).isFalse();
        assertThat(map.remove(requests.get(5))).isTrue();
        assertThat(map.remove(requests.get(5))).isFalse();
        assertThat(map.tryAdd(request(1))).isTrue(); // whichever id comes next, the free place is found
        assertThat(map.outstanding()).isEqualTo(16);
    }

    @Test
    void shouldFailTheRequestsOfOneConnectionOnly() {
        RequestMap map = new RequestMap(16);
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
}
