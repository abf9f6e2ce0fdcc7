package io.dxnet.runtime.wire;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Makes random values of the types of {@link RecordSource} by reflection,
 * and compares them in depth.
 */
final class RandomValues {
    private static final int ITEMS_MAX = 5;

    private final Random random;
    private int budget; // of records and items: recursive types could continue without end

    RandomValues(Random random, int budget) {
        this.random = random;
        this.budget = budget;
    }

    /** A value, not null. */
    Object value(Type type) throws ReflectiveOperationException {
        return value(type, Map.of());
    }

    private Object nullable(Type type, Map<TypeVariable<?>, Type> variables) throws ReflectiveOperationException {
        boolean mayBeNull =
                raw(type, variables) != Optional.class && !raw(type, variables).isPrimitive();
        return mayBeNull && (budget <= 0 || random.nextInt(6) == 0) ? null : value(type, variables);
    }

    private static Class<?> raw(Type type, Map<TypeVariable<?>, Type> variables) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> (Class<?>) generic.getRawType();
            case GenericArrayType array ->
                raw(array.getGenericComponentType(), variables).arrayType();
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0], variables);
            default -> raw(variables.get(type), variables);
        };
    }

    private Object value(Type type, Map<TypeVariable<?>, Type> variables) throws ReflectiveOperationException {
        budget--;
        return switch (type) {
            case Class<?> plain when plain.isArray() -> array(plain.getComponentType(), variables);
            case Class<?> plain -> plain(plain, Map.of());
            case GenericArrayType array -> array(array.getGenericComponentType(), variables);
            case WildcardType wildcard -> value(wildcard.getUpperBounds()[0], variables);
            case ParameterizedType generic -> generic(generic, variables);
            default -> value(variables.get(type), variables);
        };
    }

    private int count() {
        return budget <= 0 || random.nextInt(4) == 0 ? 0 : random.nextInt(40) == 0 ? 700 : random.nextInt(ITEMS_MAX);
    }

    private Object array(Type element, Map<TypeVariable<?>, Type> variables) throws ReflectiveOperationException {
        int count = count();
        Object array = Array.newInstance(raw(element, variables), count);
        for (int i = 0; i < count; i++) {
            Array.set(array, i, nullable(element, variables));
        }
        return array;
    }

    private Object generic(ParameterizedType type, Map<TypeVariable<?>, Type> variables)
            throws ReflectiveOperationException {
        Class<?> raw = (Class<?>) type.getRawType();
        Type[] arguments = type.getActualTypeArguments();
        Map<TypeVariable<?>, Type> closed = new HashMap<>(variables);
        if (raw == List.class) {
            List<Object> list = random.nextBoolean() ? new ArrayList<>() : new LinkedList<>();
            for (int i = count(); i > 0; i--) {
                list.add(value(arguments[0], variables));
            }
            return random.nextInt(3) == 0 ? List.copyOf(list) : list;
        } else if (raw == Set.class) {
            Set<Object> set = random.nextBoolean() ? new LinkedHashSet<>() : new HashSet<>();
            for (int i = count(); i > 0; i--) {
                set.add(value(arguments[0], variables));
            }
            return set;
        } else if (raw == Map.class) {
            Map<Object, Object> map = random.nextBoolean() ? new LinkedHashMap<>() : new HashMap<>();
            for (int i = count(); i > 0; i--) {
                map.put(value(arguments[0], variables), value(arguments[1], variables));
            }
            return map;
        } else if (raw == Optional.class) {
            return budget <= 0 || random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(value(arguments[0], variables));
        }
        for (int i = 0; i < arguments.length; i++) {
            closed.put(raw.getTypeParameters()[i], arguments[i]);
        }
        return record(raw, closed);
    }

    private Object plain(Class<?> type, Map<TypeVariable<?>, Type> variables) throws ReflectiveOperationException {
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        if (type.isSealed()) {
            Class<?>[] permitted = type.getPermittedSubclasses();
            return value(permitted[random.nextInt(permitted.length)], variables);
        }
        return type.isRecord() ? record(type, variables) : scalar(type);
    }

    private Object record(Class<?> type, Map<TypeVariable<?>, Type> variables) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = nullable(components[i].getGenericType(), variables);
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private Object scalar(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "boolean", "Boolean" -> random.nextBoolean();
            case "byte", "Byte" -> (byte) random.nextInt();
            case "short", "Short" -> (short) random.nextInt();
            case "char", "Character" -> (char) random.nextInt();
            case "int", "Integer" -> random.nextInt();
            case "long", "Long" -> random.nextLong();
            case "float", "Float" -> random.nextInt(9) == 0 ? Float.NaN : random.nextFloat();
            case "double", "Double" -> random.nextInt(9) == 0 ? -0.0 : random.nextGaussian();
            case "String" -> string();
            case "UUID" -> new UUID(random.nextLong(), random.nextLong());
            case "Instant" -> Instant.ofEpochSecond(random.nextLong() >> 10, random.nextInt(1_000_000_000));
            case "Duration" -> Duration.ofSeconds(random.nextLong() >> 1, random.nextInt(1_000_000_000));
            case "BigInteger" -> integer();
            default -> throw new AssertionError(type);
        };
    }

    private BigInteger integer() {
        BigInteger positive = new BigInteger(random.nextInt(random.nextBoolean() ? 70 : 2000), random);
        return random.nextBoolean() ? positive : positive.negate();
    }

    private String string() {
        int length = random.nextInt(20) == 0 ? random.nextInt(3000) : random.nextInt(12);
        int[] points =
                random.ints(length, 1, random.nextBoolean() ? 0x80 : 0xD000).toArray();
        if (length > 0 && random.nextInt(4) == 0) {
            points[random.nextInt(length)] = 0x1F600;
        }
        return new String(points, 0, length);
    }

    /** Whether two values are equal: arrays by content, sets and maps in their order too. */
    static boolean equal(Object one, Object other) throws ReflectiveOperationException {
        if (one == null || other == null) {
            return one == other;
        }
        if (one instanceof Record) {
            return one.getClass() == other.getClass() && equal(components(one), components(other));
        }
        if (one instanceof List<?> || one instanceof Set<?>) {
            return (one instanceof List<?>) == (other instanceof List<?>)
                    && equal(((Iterable<?>) one), (Iterable<?>) other);
        }
        if (one instanceof Map<?, ?> map) {
            Map<?, ?> second = (Map<?, ?>) other;
            return equal(map.keySet(), (Iterable<?>) second.keySet()) && equal(map.values(), second.values());
        }
        if (one instanceof Optional<?> optional) {
            return equal(optional.orElse(null), ((Optional<?>) other).orElse(null));
        }
        if (one.getClass().isArray()) {
            return one.getClass() == other.getClass() && equal(elements(one), elements(other));
        }
        return one.equals(other);
    }

    private static boolean equal(Iterable<?> one, Iterable<?> other) throws ReflectiveOperationException {
        var second = other.iterator();
        for (Object item : one) {
            if (!second.hasNext() || !equal(item, second.next())) {
                return false;
            }
        }
        return !second.hasNext();
    }

    private static List<Object> components(Object one) throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : one.getClass().getRecordComponents()) {
            component.getAccessor().setAccessible(true);
            values.add(component.getAccessor().invoke(one));
        }
        return values;
    }

    private static List<Object> elements(Object array) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            values.add(Array.get(array, i));
        }
        return values;
    }
}
