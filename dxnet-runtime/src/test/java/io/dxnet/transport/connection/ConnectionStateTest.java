package io.dxnet.transport.connection;

import static io.dxnet.transport.connection.ConnectionState.ACCEPTED;
import static io.dxnet.transport.connection.ConnectionState.CLOSED;
import static io.dxnet.transport.connection.ConnectionState.CONNECTING;
import static io.dxnet.transport.connection.ConnectionState.FAILED;
import static io.dxnet.transport.connection.ConnectionState.FREED;
import static io.dxnet.transport.connection.ConnectionState.LINGERING;
import static io.dxnet.transport.connection.ConnectionState.LOST;
import static io.dxnet.transport.connection.ConnectionState.NEW;
import static io.dxnet.transport.connection.ConnectionState.USABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every pair of states: what the diagram shows is allowed, and nothing else. */
class ConnectionStateTest {
    private static final Set<ConnectionState> END = EnumSet.of(LINGERING, CLOSED, FREED);

    /** Where each state leads to, besides the end. */
    private static final Map<ConnectionState, Set<ConnectionState>> LIFE = Map.of(
            NEW, EnumSet.of(CONNECTING, ACCEPTED, USABLE, FAILED),
            CONNECTING, EnumSet.of(NEW, ACCEPTED, FAILED),
            ACCEPTED, EnumSet.of(NEW, USABLE, FAILED),
            USABLE, EnumSet.of(FAILED),
            FAILED, EnumSet.of(LOST));

    private static Set<ConnectionState> successors(ConnectionState state) {
        Set<ConnectionState> all = EnumSet.copyOf(END);
        all.removeIf(end -> end.compareTo(state) <= 0);
        all.addAll(LIFE.getOrDefault(state, Set.of()));
        return all;
    }

    @ParameterizedTest
    @EnumSource(ConnectionState.class)
    void shouldLeadWhereTheDiagramShows(ConnectionState from) {
        for (ConnectionState to : ConnectionState.values()) {
            assertThat(from.leadsTo(to))
                    .as("%s to %s", from, to)
                    .isEqualTo(successors(from).contains(to));
        }
    }

    @Test
    void shouldBeAliveUntilItFailsOrIsClosed() {
        assertThat(EnumSet.allOf(ConnectionState.class).stream().filter(ConnectionState::isAlive))
                .containsExactly(NEW, CONNECTING, ACCEPTED, USABLE);
    }

    @Test
    void shouldBeClosedFromLingeringOn() {
        assertThat(EnumSet.allOf(ConnectionState.class).stream().filter(ConnectionState::isClosed))
                .containsExactly(LINGERING, CLOSED, FREED);
    }
}
