package io.dxnet.codec;

import io.dxnet.Codec;
import io.dxnet.MessagingUsageException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Derives the codec of a type from its declaration. One object for one codec; one thread. */
public final class Derivation {
    /** Less than the 255 slots of a method, of which method handles need some themselves. */
    private static final int COMPONENT_SLOTS_MAX = 250;

    private final Access access;
    private final Map<TypeRef, LinkCodec> unfinished = new HashMap<>();
    private final Map<TypeRef, ValueCodec> finished = new HashMap<>();

    private Derivation(Access access) {
        this.access = access;
    }

    /**
     * {@return whether a codec was derived} It makes a new object for each value.
     *
     * @param codec any one
     */
    public static boolean isDerived(Codec<?> codec) {
        return codec instanceof DerivedCodec<?>;
    }

    /**
     * Derives a codec.
     *
     * @param <T> the type of the values
     * @param type the class of the values
     * @param lookup the application's lookup, or null
     * @return the codec
     * @throws MessagingUsageException when it cannot be derived
     */
    public static <T> Codec<T> derive(Class<T> type, MethodHandles.@Nullable Lookup lookup) {
        String where = "message type " + type.getTypeName();
        if (type.isPrimitive()) {
            throw new MessagingUsageException(where + " is a primitive: put it into a record");
        }
        ValueCodec codec = new Derivation(new Access(lookup)).derive(TypeRef.of(type, where), where);
        ValueCodec root = codec.acceptsNull() ? new Required(codec, where) : codec;
        return new DerivedCodec<>(type, root, SchemaText.hash(root), SchemaText.describe(root));
    }

    private ValueCodec derive(TypeRef type, String where) {
        Class<?> raw = type.raw();
        if (raw.isArray()) {
            return array(type, where);
        }
        ValueCodec scalar = scalar(raw);
        if (scalar != null) {
            return scalar;
        }
        if (raw.isRecord() || raw.isInterface() && raw.isSealed()) {
            return finished.containsKey(type) ? finished.get(type) : composite(type, where);
        }
        return container(type, where);
    }

    private static @Nullable ValueCodec scalar(Class<?> type) {
        if (type.isEnum()) {
            return EnumCodec.of(type);
        }
        Scalar scalar = Scalar.of(type);
        return scalar != null ? scalar : Boxed.of(type);
    }

    // ---------------------------------------------------------------- positions: where null is allowed

    /** A component of a record, or an element of an array. */
    private ValueCodec nullable(TypeRef type, String where) {
        ValueCodec codec = derive(type, where);
        return type.raw() == Optional.class ? new Required(codec, where) : codec.nullable();
    }

    /** An element of a collection, of which a count is compared with the bytes that are left. */
    private ValueCodec element(TypeRef type, String where) {
        ValueCodec codec = derive(type, where);
        ValueCodec counted = codec.extent().bytesMin() == 0 ? codec.nullable() : codec;
        return counted.acceptsNull() ? new Required(counted, where) : counted;
    }

    // ---------------------------------------------------------------- arrays and collections

    private ValueCodec array(TypeRef type, String where) {
        Class<?> elementType = type.raw().getComponentType();
        if (elementType.isPrimitive()) {
            return PrimitiveArray.of(type.raw());
        }
        ValueCodec element = nullable(type.arguments().get(0), "an element of " + where);
        return new ArrayCodec(elementType, element, element.extent(), where);
    }

    private ValueCodec container(TypeRef type, String where) {
        Class<?> raw = type.raw();
        boolean isContainer = raw == List.class || raw == Set.class || raw == Map.class || raw == Optional.class;
        if (!isContainer) {
            throw underivable(type, where);
        }
        if (type.arguments().isEmpty()) {
            throw new MessagingUsageException(where + " is a " + raw.getName()
                    + " without type arguments: declare what is in it, in a component of a record");
        }
        TypeRef content = type.arguments().get(0);
        if (raw == Optional.class) {
            return new OptionalCodec(derive(content, "the content of " + where).nullable());
        }
        if (raw == Map.class) {
            String keyWhere = "a key of " + where;
            String valueWhere = "a value of " + where;
            ValueCodec key = element(content, keyWhere);
            ValueCodec value = element(type.arguments().get(1), valueWhere);
            return new MapCodec(key, value, key.extent().and(value.extent()), where, keyWhere, valueWhere);
        }
        String elementWhere = "an element of " + where;
        ValueCodec element = element(content, elementWhere);
        return raw == List.class
                ? new ListCodec(element, element.extent(), where, elementWhere)
                : new SetCodec(element, element.extent(), where, elementWhere);
    }

    // ---------------------------------------------------------------- records and families

    private ValueCodec composite(TypeRef type, String where) {
        boolean isRecord = type.raw().isRecord();
        LinkCodec link = unfinished.get(type);
        if (link != null) {
            return link;
        }
        link = new LinkCodec(!isRecord);
        unfinished.put(type, link);
        ValueCodec codec = isRecord ? record(type) : family(type, where);
        link.target(codec);
        unfinished.remove(type);
        finished.put(type, codec);
        return codec;
    }

    private RecordCodec record(TypeRef type) {
        Class<?> raw = type.raw();
        RecordComponent[] components = raw.getRecordComponents();
        int slots = 0;
        for (RecordComponent component : components) {
            slots += RecordClass.slots(component.getType());
        }
        if (slots > COMPONENT_SLOTS_MAX) {
            throw new MessagingUsageException("record " + raw.getName() + " has components of " + slots
                    + " slots (a long and a double take two), more than " + COMPONENT_SLOTS_MAX
                    + ": put some of them into a record of their own");
        }
        Access.Handles handles = access.of(raw);
        List<RecordShape.Component> parts = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            String where = "component " + component.getName() + " of record " + raw.getName();
            @Nullable
            ValueCodec codec = component.getType().isPrimitive()
                    ? null
                    : nullable(TypeRef.of(component.getGenericType(), type.variables(), where), where);
            parts.add(new RecordShape.Component(
                    component.getName(),
                    component.getType(),
                    handles.accessors().get(i),
                    codec));
        }
        return RecordClass.define(RecordShape.of(raw, handles.constructor(), parts));
    }

    private FamilyCodec family(TypeRef type, String where) {
        Set<TypeRef> permitted = new LinkedHashSet<>();
        addCases(type, permitted, where);
        Class<?>[] classes = new Class<?>[permitted.size()];
        ValueCodec[] cases = new ValueCodec[permitted.size()];
        boolean isRecursive = false;
        int tag = 0;
        for (TypeRef one : permitted) {
            String what = "case " + one + " of " + where;
            ValueCodec codec = derive(one, what);
            classes[tag] = one.raw();
            cases[tag++] = codec.acceptsNull() ? new Required(codec, what) : codec;
            isRecursive |= codec.extent().isRecursive();
        }
        return new FamilyCodec(type.raw(), classes, cases, new Extent(1, false, isRecursive));
    }

    private static void addCases(TypeRef family, Set<TypeRef> cases, String where) {
        for (Class<?> subclass : family.raw().getPermittedSubclasses()) {
            boolean isFamily = subclass.isInterface() && subclass.isSealed();
            if (!isFamily && !subclass.isRecord() && !subclass.isEnum()) {
                throw new MessagingUsageException(
                        where + " is the sealed interface " + family.raw().getName()
                                + ", which permits " + subclass.getName()
                                + ": only records, enums and sealed interfaces of these have derived codecs");
            }
            TypeRef one = family.permitted(subclass, where);
            if (isFamily) {
                addCases(one, cases, where);
            } else {
                cases.add(one);
            }
        }
    }

    // ---------------------------------------------------------------- errors

    private static MessagingUsageException underivable(TypeRef type, String where) {
        return new MessagingUsageException(where + " is a " + type + ", of which no codec can be derived: "
                + remedy(type.raw()) + ", or write the codec by hand (Codec.of(write, read))");
    }

    private static String remedy(Class<?> type) {
        if (type == Object.class) {
            return "declare what it holds, as a sealed interface of records where there are several";
        }
        if (Collection.class.isAssignableFrom(type) || Iterable.class == type) {
            return Set.class.isAssignableFrom(type) ? "declare it as Set" : "declare it as List or Set";
        }
        if (Map.class.isAssignableFrom(type)) {
            return "declare it as Map";
        }
        if (type.isInterface()) {
            return "make it a sealed interface of records";
        }
        return type.getModule() == Object.class.getModule()
                ? "declare it as one of the types that Codec lists"
                : "make it a record";
    }
}
