package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private static final class State extends ConnectionTable.Entry<State> {
        private final int nodeId;

        State(int nodeId) {
            this.nodeId = nodeId;
        }

        @Override
        public int nodeId() {
            return nodeId;
        }
    }

    @Test
    void shouldKeepTheConnectionsOfANodeNewestFirst() {
        ConnectionTable<State> table = new ConnectionTable<>();
        State first = new State(65535);
        State second = new State(65535);
        State third = new State(65535);
        State other = new State(0);
        table.add(first);
        table.add(second);
        table.add(third);
        table.add(other);
        assertThat(table.all()).containsExactly(other, third, second, first);
        table.remove(second);
        table.remove(second);
        assertThat(table.first(65535)).isSameAs(third);
        assertThat(third.next()).isSameAs(first);
        table.remove(third);
        assertThat(table.first(65535)).isSameAs(first);
        table.remove(first);
        assertThat(table.first(65535)).isNull();
        assertThat(table.all()).containsExactly(other);
    }
}
