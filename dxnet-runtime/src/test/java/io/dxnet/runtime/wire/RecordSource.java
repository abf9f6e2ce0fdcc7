package io.dxnet.runtime.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes the source of random types that have derived codecs: records, enums,
 * sealed families, each referring to any other.
 */
final class RecordSource {
    private static final String[] PRIMITIVES = {"boolean", "byte", "short", "char", "int", "long", "float", "double"};
    private static final String[] SCALARS = {
        "String",
        "UUID",
        "Instant",
        "Duration",
        "BigInteger",
        "Boolean",
        "Byte",
        "Short",
        "Character",
        "Integer",
        "Long",
        "Float",
        "Double"
    };

    private static final int RECORDS = 12;
    private static final int FAMILIES = 3;
    private static final int ENUMS = 2;

    private final Random random;
    private final StringBuilder source = new StringBuilder();
    private final List<String> names = new ArrayList<>();

    private RecordSource(Random random) {
        this.random = random;
    }

    /** A class {@code name} that declares the types. */
    static String of(String name, Random random) {
        return new RecordSource(random).generate(name);
    }

    private String generate(String name) {
        for (int i = 0; i < ENUMS; i++) {
            names.add("E" + i);
        }
        for (int i = 0; i < FAMILIES; i++) {
            names.add("S" + i);
        }
        for (int i = 0; i < RECORDS; i++) {
            names.add("R" + i);
        }
        source.append("import java.math.*; import java.time.*; import java.util.*;\n");
        source.append("public class ").append(name).append(" {\n");
        source.append("  public enum E0 { A, B { }, C }\n  public enum E1 { ")
                .append(constants())
                .append(" }\n");
        source.append("  public record Box<T>(T one, List<T> many, int number) {}\n");
        for (int i = 0; i < FAMILIES; i++) {
            family("S" + i);
        }
        for (int i = 0; i < RECORDS; i++) {
            record("R" + i, "", random.nextInt(10) == 0 ? 40 : random.nextInt(9));
        }
        return source.append("}\n").toString();
    }

    /** More than a tag of one byte can number, now and then. */
    private String constants() {
        StringBuilder constants = new StringBuilder();
        int count = random.nextBoolean() ? 3 : 200;
        for (int i = 0; i < count; i++) {
            constants.append(i == 0 ? "" : ", ").append("K").append(i);
        }
        return constants.toString();
    }

    private void family(String name) {
        source.append("  public sealed interface ").append(name).append(" {}\n");
        int cases = 1 + random.nextInt(4);
        for (int i = 0; i < cases; i++) {
            record(name + "C" + i, " implements " + name, random.nextInt(4));
        }
        if (random.nextBoolean()) {
            source.append("  public enum ")
                    .append(name)
                    .append("E implements ")
                    .append(name)
                    .append(" { X, Y }\n");
        }
        if (random.nextBoolean()) {
            source.append("  public sealed interface ")
                    .append(name)
                    .append("F extends ")
                    .append(name)
                    .append(" {}\n");
            record(name + "FC", " implements " + name + "F", random.nextInt(3));
        }
    }

    private void record(String name, String implemented, int components) {
        source.append(random.nextBoolean() ? "  public record " : "  private record ")
                .append(name)
                .append('(');
        for (int i = 0; i < components; i++) {
            source.append(i == 0 ? "" : ", ").append(component()).append(" c").append(i);
        }
        source.append(')').append(implemented).append(" {}\n");
    }

    private String component() {
        return random.nextInt(3) == 0 ? PRIMITIVES[random.nextInt(PRIMITIVES.length)] : reference(3);
    }

    private String reference(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 10)) {
            case 0, 1 -> SCALARS[random.nextInt(SCALARS.length)];
            case 2 -> PRIMITIVES[random.nextInt(PRIMITIVES.length)] + "[]";
            case 3, 4 -> names.get(random.nextInt(names.size()));
            case 5 -> "List<" + (random.nextInt(4) == 0 ? "? extends " : "") + reference(depth - 1) + ">";
            case 6 -> "Set<" + reference(depth - 1) + ">";
            case 7 -> "Map<" + reference(depth - 1) + ", " + reference(depth - 1) + ">";
            case 8 -> (random.nextBoolean() ? "Optional<" : "Box<") + reference(depth - 1) + ">";
            default -> reference(depth - 1) + "[]";
        };
    }
}
