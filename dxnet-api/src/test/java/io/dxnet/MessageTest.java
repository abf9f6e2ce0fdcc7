package io.dxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dxnet.spi.MessageAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    private static final class Note extends Message {
        Note() {}

        Note(int destination, int type, int subtype) {
            super(destination, type, subtype);
        }

        Note(int... destinations) {
            super(destinations, 1, 2);
        }
    }

    private static final class Ask extends Request<Answer> {
        Ask(int destination) {
            super(destination, 1, 2);
        }
    }

    private static final class Answer extends Response {
        Answer(Request<?> request) {
            super(request, 3, 4);
        }
    }

    private static int[] moreDestinations(Message message) {
        return MessageAccess.get().moreDestinations(message);
    }

    @Test
    void shouldKnowItsHeader() {
        Note note = new Note(65535, 255, 254);
        assertThat(note.destination()).isEqualTo(65535);
        assertThat(note.type()).isEqualTo(255);
        assertThat(note.subtype()).isEqualTo(254);
        assertThat(note.source()).as("not received").isEqualTo(-1);
        assertThat(note.sizeOfObject()).isZero();
        assertThat(moreDestinations(note)).isEmpty();
    }

    @Test
    void shouldNameItsHeaderAsText() {
        assertThat(new Note(7, 1, 2)).hasToString("Note (type 1, subtype 2, from node -1 to node 7)");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65536, Integer.MAX_VALUE})
    void shouldThrowWhenADestinationIsOutOfRange(int node) {
        String range = "0..65535";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note(node, 0, 0))
                .withMessageContainingAll("" + node, range);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note(1, 2, 3, node))
                .withMessageContaining(range);
        assertThatIllegalArgumentException().isThrownBy(() -> new Note(0, 0, 0).setDestination(node));
        assertThatIllegalArgumentException().isThrownBy(() -> new Note(0, 0, 0).setDestinations(5, node));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256})
    void shouldThrowWhenATypeIsOutOfRange(int type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note(0, type, 0))
                .withMessageContainingAll("type " + type, "0..255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note(0, 0, type))
                .withMessageContaining("subtype " + type);
    }

    @Test
    void shouldGoToSeveralNodesInOrder() {
        int[] nodes = {5, 3, 9, 3};
        Note note = new Note(nodes);
        nodes[1] = 77;
        assertThat(note.destination()).isEqualTo(5);
        assertThat(moreDestinations(note)).containsExactly(3, 9, 3);
        note.setDestination(8);
        assertThat(note.destination()).isEqualTo(8);
        assertThat(moreDestinations(note)).isEmpty();
        note.setDestinations(6);
        assertThat(note.destination()).isEqualTo(6);
        assertThat(moreDestinations(note)).isEmpty();
    }

    @Test
    void shouldThrowWhenThereIsNoDestination() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note(new int[0]))
                .withMessageContaining("destination");
        assertThatIllegalArgumentException().isThrownBy(() -> new Note(0, 0, 0).setDestinations());
    }

    @Test
    void shouldKeepItsDestinationsWhenNewOnesAreWrong() {
        Note note = new Note(5, 6, 7, 8);
        assertThatIllegalArgumentException().isThrownBy(() -> note.setDestinations(1, -1));
        assertThat(note.destination()).isEqualTo(5);
        assertThat(moreDestinations(note)).containsExactly(6, 7, 8);
    }

    @Test
    void shouldTakeTheHeaderOfAReceivedMessage() {
        Note note = new Note();
        assertThat(note.type()).isEqualTo(-1);
        MessageAccess.get().received(note, 12, 34, 200, 100, 0xABCDEF, null);
        assertThat(note.source()).isEqualTo(12);
        assertThat(note.type()).isEqualTo(200);
        assertThat(note.subtype()).isEqualTo(100);
        assertThat(MessageAccess.get().id(note)).isEqualTo(0xABCDEF);
    }

    @Test
    void shouldAnswerTheSenderWithItsId() {
        Ask ask = new Ask(1);
        MessageAccess.get().received(ask, 12, 34, 1, 2, 77, "origin");
        Answer answer = new Answer(ask);
        assertThat(answer.destination()).isEqualTo(12);
        assertThat(answer.type()).isEqualTo(3);
        assertThat(answer.subtype()).isEqualTo(4);
        assertThat(MessageAccess.get().id(answer)).isEqualTo(77);
        assertThat(MessageAccess.get().origin(answer)).isEqualTo("origin");
    }

    @Test
    void shouldThrowWhenTheAnsweredRequestWasNotReceived() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Answer(new Ask(1)))
                .withMessageContainingAll("Ask", "received");
    }
}
