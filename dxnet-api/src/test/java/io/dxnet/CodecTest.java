package io.dxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.invoke.MethodHandles;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What can be derived, what cannot, and the schemas. The journeys are in
 * dxnet-runtime, which has an exporter.
 */
class CodecTest {
    enum Color {
        RED,
        GREEN
    }

    record Order(long number, String customer, List<Item> items, Optional<UUID> parent) {}

    record Item(String name, int[] amounts, Color color) {}

    record Tree(int value, Tree left, Tree right, List<Shape> shapes) {}

    sealed interface Shape permits Circle, Group {}

    record Circle(double radius) implements Shape {}

    record Group(Map<String, Shape> members, Set<Integer> numbers, Shape[] more) implements Shape {}

    record Page<T>(T first, List<T> rest) {}

    record Pages(Page<String> words, Page<Item> items) {}

    sealed interface Result<T> permits Ok, Failure {}

    record Ok<T>(T value) implements Result<T> {}

    record Failure<T>(String reason) implements Result<T> {}

    record Answer(Result<Item> result) {}

    // the same as Item and Order, under other names
    enum Colour {
        RED,
        GREEN
    }

    record Article(String name, int[] amounts, Colour color) {}

    // each differs from Item in one thing
    record OtherName(String title, int[] amounts, Color color) {}

    record OtherType(String name, long[] amounts, Color color) {}

    record OtherOrder(int[] amounts, String name, Color color) {}

    enum Tint {
        RED,
        BLUE
    }

    record OtherConstant(String name, int[] amounts, Tint color) {}

    record OneMore(String name, int[] amounts, Color color, int more) {}

    // underivable
    record OfObject(Object anything) {}

    record OfArrayList(ArrayList<String> items) {}

    record OfHashSet(HashSet<String> items) {}

    record OfCollection(Collection<String> items) {}

    record OfTreeMap(TreeMap<String, String> items) {}

    @SuppressWarnings("rawtypes")
    record OfRaw(List items) {}

    record OfWildcard(List<?> items) {}

    record OfLocalDate(LocalDate day) {}

    record OfClass(Plain plain) {}

    record OfInterface(Runnable task) {}

    record OfOpenFamily(Open open) {}

    record OfDeepObject(Map<String, List<Optional<Object[]>>> map) {}

    record OfVariable<T>(T value) {}

    record Expanding<T>(T value, Expanding<List<T>> next) {}

    record OfExpanding(Expanding<String> first) {}

    static class Plain {}

    sealed interface Open permits Closed, Opened {}

    record Closed() implements Open {}

    static final class Opened implements Open {}

    static List<Arguments> underivable() {
        return List.of(
                Arguments.of(OfObject.class, "anything", "java.lang.Object", "declare what it holds"),
                Arguments.of(OfArrayList.class, "items", "java.util.ArrayList<java.lang.String>", "declare it as List"),
                Arguments.of(OfHashSet.class, "items", "java.util.HashSet", "declare it as Set"),
                Arguments.of(OfCollection.class, "items", "java.util.Collection", "declare it as List or Set"),
                Arguments.of(OfTreeMap.class, "items", "java.util.TreeMap", "declare it as Map"),
                Arguments.of(OfRaw.class, "items", "java.util.List", "without type arguments"),
                Arguments.of(OfWildcard.class, "items", "java.lang.Object", "an element of component items"),
                Arguments.of(OfLocalDate.class, "day", "java.time.LocalDate", "Codec.of(write, read)"),
                Arguments.of(OfClass.class, "plain", "Plain", "make it a record"),
                Arguments.of(OfInterface.class, "task", "java.lang.Runnable", "make it a sealed interface of records"),
                Arguments.of(OfOpenFamily.class, "open", "Opened", "only records"),
                Arguments.of(
                        OfDeepObject.class, "map", "java.lang.Object", "an element of the content of an element of"),
                Arguments.of(OfVariable.class, "value", "T", "no value is known"),
                Arguments.of(OfExpanding.class, "next", "Expanding", "nested deeper than 16"));
    }

    @ParameterizedTest
    @MethodSource("underivable")
    void shouldNameRecordComponentTypeAndRemedyWhenAComponentIsUnderivable(
            Class<?> type, String component, String componentType, String remedy) {
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> Codec.of(type))
                .withMessageContainingAll("component " + component + " of record ", componentType, remedy)
                .withMessageContaining(type == OfExpanding.class ? "Expanding" : type.getName());
    }

    @Test
    void shouldNameTheTypeWhenTheMessageItselfIsUnderivable() {
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> Codec.of(Plain.class))
                .withMessageContainingAll(Plain.class.getName(), "make it a record");
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> Codec.of(int.class))
                .withMessageContaining("put it into a record");
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> Codec.of(List.class))
                .withMessageContaining("without type arguments");
    }

    @Test
    void shouldThrowWhenARecordHasMoreComponentsThanAMethodHandle() {
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> Codec.of(Wide.class))
                .withMessageContainingAll("record " + Wide.class.getName(), "252 slots", "more than 250");
        assertThat(Codec.of(Widest.class).describe()).contains("z9: double");
    }

    // ---------------------------------------------------------------- schemas

    @Test
    void shouldDescribeNamesTypesAndNullability() {
        assertThat(Codec.of(Order.class).describe())
                .isEqualTo("Order{number: long, customer: String?, items: List<Item{name: String?, amounts: int[]?, "
                        + "color: Color(RED, GREEN)?}>?, parent: Optional<UUID>}");
        assertThat(Codec.of(Tree.class).describe())
                .isEqualTo("Tree{value: int, left: Tree?, right: Tree?, shapes: List<Shape<Circle{radius: double} | "
                        + "Group{members: Map<String, Shape>?, numbers: Set<Integer>?, more: Shape?[]?}>>?}");
        assertThat(Codec.of(Answer.class).describe())
                .isEqualTo("Answer{result: Result<Ok{value: Item{name: String?, amounts: int[]?, "
                        + "color: Color(RED, GREEN)?}?} | Failure{reason: String?}>?}");
        assertThat(Codec.of(Pages.class).describe())
                .startsWith("Pages{words: Page{first: String?, rest: List<String>?}?");
    }

    /** The numbers are on the wire: a change of them separates nodes of different versions. */
    @Test
    void shouldHaveTheSameSchemaInEveryVersion() {
        assertThat(Codec.of(Order.class).schema()).isEqualTo(0x081FEF967BEFDC69L);
        assertThat(Codec.of(Tree.class).schema()).isEqualTo(0xC0A640B539D49BB3L);
        assertThat(Codec.of(Answer.class).schema()).isEqualTo(0xE42B130A4B964A67L);
    }

    @Test
    void shouldHaveTheSameSchemaWhenOnlyNamesOfClassesDiffer() {
        assertThat(Codec.of(Article.class).schema())
                .isEqualTo(Codec.of(Item.class).schema());
    }

    @ParameterizedTest
    @MethodSource("differing")
    void shouldHaveAnotherSchemaWhenNameTypeOrderConstantOrNumberOfComponentsDiffers(Class<?> type) {
        assertThat(Codec.of(type).schema()).isNotEqualTo(Codec.of(Item.class).schema());
    }

    static List<Class<?>> differing() {
        return List.of(OtherName.class, OtherType.class, OtherOrder.class, OtherConstant.class, OneMore.class);
    }

    @Test
    void shouldHaveAnotherSchemaWhenAPermittedClassHasAnotherName() {
        assertThat(Codec.of(One.class).schema())
                .isNotEqualTo(Codec.of(Two.class).schema());
    }

    sealed interface One permits OneCase {}

    record OneCase(int value) implements One {}

    sealed interface Two permits TwoCase {}

    record TwoCase(int value) implements Two {}

    // ---------------------------------------------------------------- codecs by hand

    @Test
    void shouldCountTheBytesWhenACodecIsMadeOfFunctions() {
        Codec<Circle> codec =
                Codec.of((circle, to) -> to.writeDouble(circle.radius()), from -> new Circle(from.readDouble()));
        assertThat(codec.size(new Circle(1))).isEqualTo(Double.BYTES);
        assertThat(codec.schema()).isZero();
        assertThat(codec.describe()).isEqualTo("written by hand");
    }

    @Test
    void shouldDeriveWhenALookupIsPassed() {
        assertThat(Codec.of(Secret.class, MethodHandles.lookup()).size(new Secret(1)))
                .isEqualTo(Integer.BYTES);
    }

    private record Secret(int value) {}

    // ---------------------------------------------------------------- wide records

    record Wide(
            long l0,
            long l1,
            long l2,
            long l3,
            long l4,
            long l5,
            long l6,
            long l7,
            long l8,
            long l9,
            long l10,
            long l11,
            long l12,
            long l13,
            long l14,
            long l15,
            long l16,
            long l17,
            long l18,
            long l19,
            long l20,
            long l21,
            long l22,
            long l23,
            long l24,
            long l25,
            long l26,
            long l27,
            long l28,
            long l29,
            long l30,
            long l31,
            long l32,
            long l33,
            long l34,
            long l35,
            long l36,
            long l37,
            long l38,
            long l39,
            long l40,
            long l41,
            long l42,
            long l43,
            long l44,
            long l45,
            long l46,
            long l47,
            long l48,
            long l49,
            long l50,
            long l51,
            long l52,
            long l53,
            long l54,
            long l55,
            long l56,
            long l57,
            long l58,
            long l59,
            long l60,
            long l61,
            long l62,
            long l63,
            long l64,
            long l65,
            long l66,
            long l67,
            long l68,
            long l69,
            long l70,
            long l71,
            long l72,
            long l73,
            long l74,
            long l75,
            long l76,
            long l77,
            long l78,
            long l79,
            long l80,
            long l81,
            long l82,
            long l83,
            long l84,
            long l85,
            long l86,
            long l87,
            long l88,
            long l89,
            long l90,
            long l91,
            long l92,
            long l93,
            long l94,
            long l95,
            long l96,
            long l97,
            long l98,
            long l99,
            long l100,
            long l101,
            long l102,
            long l103,
            long l104,
            long l105,
            long l106,
            long l107,
            long l108,
            long l109,
            long l110,
            long l111,
            long l112,
            long l113,
            long l114,
            long l115,
            long l116,
            long l117,
            long l118,
            long l119,
            long l120,
            long l121,
            long l122,
            long l123,
            long l124,
            long l125) {}

    record Widest(
            double a0,
            double a1,
            double a2,
            double a3,
            double a4,
            double a5,
            double a6,
            double a7,
            double a8,
            double a9,
            double b0,
            double b1,
            double b2,
            double b3,
            double b4,
            double b5,
            double b6,
            double b7,
            double b8,
            double b9,
            double c0,
            double c1,
            double c2,
            double c3,
            double c4,
            double c5,
            double c6,
            double c7,
            double c8,
            double c9,
            double d0,
            double d1,
            double d2,
            double d3,
            double d4,
            double d5,
            double d6,
            double d7,
            double d8,
            double d9,
            double e0,
            double e1,
            double e2,
            double e3,
            double e4,
            double e5,
            double e6,
            double e7,
            double e8,
            double e9,
            double f0,
            double f1,
            double f2,
            double f3,
            double f4,
            double f5,
            double f6,
            double f7,
            double f8,
            double f9,
            double g0,
            double g1,
            double g2,
            double g3,
            double g4,
            double g5,
            double g6,
            double g7,
            double g8,
            double g9,
            double h0,
            double h1,
            double h2,
            double h3,
            double h4,
            double h5,
            double h6,
            double h7,
            double h8,
            double h9,
            double i0,
            double i1,
            double i2,
            double i3,
            double i4,
            double i5,
            double i6,
            double i7,
            double i8,
            double i9,
            double j0,
            double j1,
            double j2,
            double j3,
            double j4,
            double j5,
            double j6,
            double j7,
            double j8,
            double j9,
            double k0,
            double k1,
            double k2,
            double k3,
            double k4,
            double k5,
            double k6,
            double k7,
            double k8,
            double k9,
            double l0,
            double l1,
            double l2,
            double l3,
            double l4,
            double z0,
            double z1,
            double z2,
            double z3,
            double z4,
            double z5,
            double z6,
            double z7,
            double z8,
            double z9) {}

    private static final class Debit {
        private record Entry(long cents) implements Booking, Reversed {}
    }

    private static final class Credit {
        private record Entry(long cents) implements Booking, Reversed {}
    }

    private sealed interface Booking permits Debit.Entry, Credit.Entry {}

    private sealed interface Reversed permits Credit.Entry, Debit.Entry {}

    /** Else a node reads a credit where the other one has written a debit. */
    @Test
    void shouldDistinguishPermittedClassesOfOneSimpleName() {
        assertThat(Codec.of(Booking.class).schema())
                .isNotEqualTo(Codec.of(Reversed.class).schema());
    }
}
