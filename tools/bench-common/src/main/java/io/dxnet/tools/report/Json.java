package io.dxnet.tools.report;

import java.util.Locale;
import java.util.Map;

/** Writes values as JSON: maps, lists, strings, numbers, booleans and null. */
public final class Json {
    private Json() {}

    /**
     * The text of {@code value}, with a line end.
     *
     * @param value a map, a list, a string, a number, a boolean or null; others as their text
     * @return JSON
     */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        value(value, "", out);
        return out.append('\n').toString();
    }

    private static void value(Object value, String indent, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> map(map, indent, out);
            case Iterable<?> list -> list(list, indent, out);
            case Double number -> number(number, out);
            case Number number -> out.append(number);
            case Boolean bool -> out.append(bool);
            default -> string(value.toString(), out);
        }
    }

    private static void map(Map<?, ?> map, String indent, StringBuilder out) {
        String separator = "{\n";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator).append(indent).append("  ");
            string(entry.getKey().toString(), out);
            out.append(": ");
            value(entry.getValue(), indent + "  ", out);
            separator = ",\n";
        }
        out.append(map.isEmpty() ? "{}" : "\n" + indent + "}");
    }

    private static void list(Iterable<?> list, String indent, StringBuilder out) {
        String separator = "[\n";
        boolean empty = true;
        for (Object item : list) {
            out.append(separator).append(indent).append("  ");
            value(item, indent + "  ", out);
            separator = ",\n";
            empty = false;
        }
        out.append(empty ? "[]" : "\n" + indent + "]");
    }

    /** Six decimals below a million; JSON knows neither infinity nor NaN. */
    private static void number(double number, StringBuilder out) {
        if (!Double.isFinite(number)) {
            out.append("null");
        } else if (Math.abs(number) >= 1e6) {
            out.append(Math.round(number));
        } else {
            String text = String.format(Locale.ROOT, "%.6f", number);
            out.append(text.replaceAll("0+$", "").replaceAll("\\.$", ""));
        }
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
