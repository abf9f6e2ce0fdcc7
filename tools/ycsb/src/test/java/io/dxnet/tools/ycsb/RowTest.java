package io.dxnet.tools.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

class RowTest {
    private static byte[] row(String... namesAndValues) {
        Map<String, ByteIterator> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
        }
        return Row.encode(fields);
    }

    private static Map<String, String> fields(byte[] row, Set<String> wanted) {
        Map<String, ByteIterator> fields = new LinkedHashMap<>();
        Row.decode(row, wanted, fields);
        Map<String, String> texts = new LinkedHashMap<>();
        fields.forEach((name, value) -> texts.put(name, value.toString()));
        return texts;
    }

    @Test
    void shouldGiveBackItsFields() {
        byte[] row = row("field0", "some text", "", "", "f\u00e9", "x");
        assertThat(fields(row, null))
                .containsOnly(Map.entry("field0", "some text"), Map.entry("", ""), Map.entry("f\u00e9", "x"));
        assertThat(fields(row, Set.of("field0", "other"))).containsOnlyKeys("field0");
        assertThat(fields(row(), null)).isEmpty();
    }

    @Test
    void shouldReplaceTheFieldsThatChanged() {
        byte[] merged = Row.merge(row("a", "1", "b", "2"), row("b", "3", "c", "4"));
        assertThat(fields(merged, null)).containsExactly(Map.entry("a", "1"), Map.entry("b", "3"), Map.entry("c", "4"));
        assertThat(fields(Row.merge(row("a", "1"), row("a", "2")), null)).containsExactly(Map.entry("a", "2"));
    }
}
