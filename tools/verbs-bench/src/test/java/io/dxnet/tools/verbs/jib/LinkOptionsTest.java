package io.dxnet.tools.verbs.jib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LinkOptionsTest {
    private static final LinkOptions OPTIONS = new LinkOptions(128, 512, 32, 32, 236, 1 << 20, 15, 75);

    @Test
    void shouldGiveSmallMessagesThePlacesOfTheQueuesAndLargeOnesThoseOfTheMemory() {
        assertThat(OPTIONS.sendSlots(1)).isEqualTo(128);
        assertThat(OPTIONS.receiveSlots(64)).isEqualTo(512);
        assertThat(OPTIONS.sendSlots(1 << 20)).isEqualTo(16);
        assertThat(OPTIONS.receiveSlots(1 << 20)).isEqualTo(16);
        assertThat(OPTIONS.receiveSlots(100_000)).isEqualTo(128);
    }

    @Test
    void shouldHoldOneMessageThatIsLargerThanTheUsualMemory() {
        LinkOptions large = new LinkOptions(128, 512, 32, 32, 236, 64 << 20, 15, 75);
        assertThat(large.regionBytes()).isEqualTo(64 << 20);
        assertThat(large.sendSlots(64 << 20)).isEqualTo(1);
    }

    @Test
    void shouldTravel() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        RunSpec spec = new RunSpec(new Case(Pattern.PING_PONG, Transfer.READ, 77), 1L << 40, -5, true);
        OPTIONS.write(out);
        spec.write(out);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        assertThat(LinkOptions.read(in)).isEqualTo(OPTIONS);
        assertThat(RunSpec.read(in)).isEqualTo(spec);
    }
}
