package io.dxnet.codec;

import io.dxnet.MessagingUsageException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the constructor and the accessors of records: with the application's lookup,
 * and otherwise with this module's.
 */
final class Access {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();

    private final MethodHandles.@Nullable Lookup given;

    /**
     * Makes the access of one derivation.
     *
     * @param given the application's lookup, or null
     */
    Access(MethodHandles.@Nullable Lookup given) {
        this.given = given;
    }

    /** The constructor and the accessors of a record, in the order of its components. */
    record Handles(MethodHandle constructor, List<MethodHandle> accessors) {}

    /**
     * Finds the handles of a record.
     *
     * @throws MessagingUsageException when they are not accessible
     */
    Handles of(Class<?> type) {
        Access.class.getModule().addReads(type.getModule());
        if (given != null) {
            try {
                return handles(MethodHandles.privateLookupIn(type, given), type);
            } catch (IllegalAccessException e) {
                // of another module than the application's: this module's lookup may do
            }
        }
        try {
            return handles(own(type), type);
        } catch (IllegalAccessException e) {
            throw new MessagingUsageException(
                    "record " + type.getName() + " of " + type.getModule() + " is not accessible to DXNet: pass "
                            + "MethodHandles.lookup() of its module to the method that makes the codec or the type, or put 'opens "
                            + type.getPackageName() + " to io.dxnet.api;' into its module-info.java",
                    e);
        }
    }

    /** A package that is exported and not opened exposes its public records alone. */
    private static MethodHandles.Lookup own(Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(type, OWN);
        } catch (IllegalAccessException e) {
            return OWN;
        }
    }

    private static Handles handles(MethodHandles.Lookup lookup, Class<?> type) throws IllegalAccessException {
        RecordComponent[] components = type.getRecordComponents();
        List<MethodHandle> accessors = new ArrayList<>();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            accessors.add(lookup.unreflect(components[i].getAccessor()));
        }
        try {
            return new Handles(lookup.findConstructor(type, MethodType.methodType(void.class, types)), accessors);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every record has a canonical constructor", e);
        }
    }
}
