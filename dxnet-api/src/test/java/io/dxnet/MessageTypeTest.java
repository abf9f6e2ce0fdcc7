package io.dxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTypeTest {
    record Ping(long number) {}

    record Pong(long number) {}

    private static final Codec<Ping> BY_HAND =
            Codec.of((ping, to) -> to.writeLong(ping.number()), from -> new Ping(from.readLong()));

    @Test
    void shouldNameATypeAfterItsClass() {
        MessageType<Ping> type = MessageType.of(0x0302, Ping.class);
        assertThat(type.id()).isEqualTo(0x0302);
        assertThat(type.type()).isEqualTo(2);
        assertThat(type.subtype()).isEqualTo(3);
        assertThat(type.name()).isEqualTo("Ping");
        assertThat(type.options()).isEmpty();
        assertThat(type.codec().describe()).isEqualTo("Ping{number: long}");
        assertThat(type).hasToString("message type 770 (Ping)");
        assertThat(MessageType.of(1, Ping.class, MethodHandles.lookup()).name()).isEqualTo("Ping");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 255, 256, 65535})
    void shouldAcceptEveryIdOfSixteenBits(int id) {
        MessageType<Ping> type = MessageType.of(id, "ping", BY_HAND);
        assertThat(type.subtype() << 8 | type.type()).isEqualTo(id);
        assertThat(RequestType.of(id, "ping", BY_HAND, BY_HAND).id()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65536, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldThrowWhenAnIdIsOutOfRange(int id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageType.of(id, Ping.class))
                .withMessage("message type id " + id + " is not in 0..65535");
        assertThatIllegalArgumentException().isThrownBy(() -> MessageType.of(id, "ping", BY_HAND));
        assertThatIllegalArgumentException().isThrownBy(() -> RequestType.of(id, Ping.class, Pong.class));
    }

    @Test
    void shouldThrowWhenANameIsBlank() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageType.of(1, " ", BY_HAND))
                .withMessageContaining("blank");
    }

    @Test
    void shouldCopyATypeWhenAnOptionIsAdded() {
        MessageType<Ping> plain = MessageType.of(1, "ping", BY_HAND);
        MessageType<Ping> both = plain.ordered().reusable();
        assertThat(plain.options()).isEmpty();
        assertThat(plain.ordered().options()).containsExactly(MessageTypeOption.EXCLUSIVE);
        assertThat(both.options()).containsExactlyInAnyOrder(MessageTypeOption.values());
        assertThat(both.id()).isEqualTo(1);
        assertThat(both.codec()).isSameAs(BY_HAND);
        assertThat(plain.ordered()).hasToString("message type 1 (ping) [EXCLUSIVE]");
    }

    @Test
    void shouldThrowWhenATypeWithADerivedCodecIsMadeReusable() {
        MessageType<Ping> type = MessageType.of(1, Ping.class);
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(type::reusable)
                .withMessageContainingAll("message type 1 (Ping)", "by hand");
    }

    @Test
    void shouldBeEqualWhenAllPartsAre() {
        MessageType<Ping> type = MessageType.of(1, "ping", BY_HAND);
        assertThat(type).isEqualTo(MessageType.of(1, "ping", BY_HAND)).hasSameHashCodeAs(type.ordered());
        assertThat(type).isNotEqualTo(type.ordered());
        assertThat(type).isNotEqualTo(MessageType.of(2, "ping", BY_HAND));
        assertThat(type).isNotEqualTo(MessageType.of(1, "pong", BY_HAND));
        assertThat(type).isNotEqualTo(MessageType.of(1, "ping", Codec.of(Ping.class)));
        assertThat(MessageType.of(1, Ping.class)).isEqualTo(MessageType.of(1, Ping.class));
        assertThat(Codec.of(Ping.class)).isNotEqualTo(Codec.of(Pong.class));
    }

    @Test
    void shouldHaveBothCodecsWhenATypeIsOfRequests() {
        RequestType<Ping, Pong> type = RequestType.of(2, Ping.class, Pong.class);
        assertThat(type.name()).isEqualTo("Ping");
        assertThat(type.requestCodec().describe()).isEqualTo("Ping{number: long}");
        assertThat(type.responseCodec().describe()).isEqualTo("Pong{number: long}");
        assertThat(type).hasToString("request type 2 (Ping)");
        assertThat(type.ordered().request().options()).containsExactly(MessageTypeOption.EXCLUSIVE);
        assertThat(type.ordered())
                .hasToString("request type 2 (Ping) [EXCLUSIVE]")
                .isNotEqualTo(type);
        assertThat(type.ordered()).isEqualTo(type.ordered());
        assertThat(RequestType.of(2, Ping.class, Pong.class, MethodHandles.lookup())
                        .id())
                .isEqualTo(2);
    }

    /** It keeps the object that it reads into, and has a schema of its own. */
    @Test
    void shouldLetACodecWithASchemaByHandBeReusable() {
        Codec<Ping> codec = new Codec<>() {
            @Override
            public void write(Ping value, Exporter to) {
                BY_HAND.write(value, to);
            }

            @Override
            public Ping read(Importer from) {
                return BY_HAND.read(from);
            }

            @Override
            public int size(Ping value) {
                return BY_HAND.size(value);
            }

            @Override
            public long schema() {
                return 42;
            }
        };
        assertThat(MessageType.of(1, "ping", codec).reusable().options()).contains(MessageTypeOption.REUSABLE);
    }
}
