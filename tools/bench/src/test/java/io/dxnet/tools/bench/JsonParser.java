package io.dxnet.tools.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict JSON parser, to check the writer with: throws where RFC 8259 would not allow the text.
 */
final class JsonParser {
    private final String text;
    private int at;

    private JsonParser(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        JsonParser parser = new JsonParser(text);
        Object value = parser.value();
        parser.space();
        if (parser.at != text.length()) {
            throw parser.wrong("more text");
        }
        return value;
    }

    private Object value() {
        space();
        char c = text.charAt(at);
        return switch (c) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        expect('{');
        if (!accept('}')) {
            do {
                space();
                String key = string();
                expect(':');
                if (map.containsKey(key)) {
                    throw wrong("a key twice: " + key);
                }
                map.put(key, value());
            } while (accept(','));
            expect('}');
        }
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        expect('[');
        if (!accept(']')) {
            do {
                list.add(value());
            } while (accept(','));
            expect(']');
        }
        return list;
    }

    private String string() {
        if (text.charAt(at++) != '"') {
            throw wrong("no string");
        }
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                throw wrong("a control character in a string");
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw wrong("escape " + c);
        };
    }

    private Object number() {
        java.util.regex.Matcher matcher = java.util.regex.Pattern.compile(
                        "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?")
                .matcher(text)
                .region(at, text.length());
        if (!matcher.lookingAt()) {
            throw wrong("no value");
        }
        at = matcher.end();
        return Double.valueOf(matcher.group());
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("no value");
        }
        at += word.length();
        return value;
    }

    private boolean accept(char c) {
        space();
        if (text.charAt(at) != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw wrong("no " + c);
        }
    }

    private void space() {
        while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " at " + at + " of " + text);
    }
}
