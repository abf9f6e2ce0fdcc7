package io.dxnet.tools.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KvNodeTest {
    private static KvNode node(NodeMap map) {
        return new KvNode(DXNetConfig.builder().build(), map);
    }

    @Test
    void shouldReachEveryKeyFromEveryNode() throws IOException {
        List<NodeMap> maps = LocalNodes.maps(2);
        try (KvNode zero = node(maps.get(0));
                KvNode one = node(maps.get(1))) {
            for (int i = 0; i < 20; i++) {
                assertThat((i % 2 == 0 ? zero : one).put("key" + i, "value" + i))
                        .isNull();
            }
            for (int i = 0; i < 20; i++) {
                assertThat(zero.get("key" + i)).isEqualTo("value" + i);
                assertThat(one.get("key" + i)).isEqualTo("value" + i);
            }
            assertThat(one.get("nothing")).isNull();
            assertThat(one.put("key3", "new")).isEqualTo("value3");
            one.add("sum", 2);
            one.add("sum", 3);
            assertThat(one.get("sum")).isEqualTo("5");
            assertThat(one.keys()).isEqualTo(zero.keys()).hasSize(21);
        }
    }

    @Test
    void shouldCountWords() throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            Main.main(new String[] {"--demo"});
        } finally {
            System.setOut(before);
        }
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(14)
                .contains("node     5", "object   3", "when     1");
    }
}
