package io.dxnet.codec;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record whose components all have codecs.
 *
 * @param type the record class
 * @param constructor the canonical one
 */
record RecordShape(Class<?> type, MethodHandle constructor, List<Component> components, Extent extent) {
    /**
     * One component.
     *
     * @param accessor {@code (record)type}
     * @param codec null when the type is primitive
     */
    record Component(
            String name,
            Class<?> type,
            MethodHandle accessor,
            @Nullable ValueCodec codec) {
        Extent extent() {
            return codec == null ? Extent.fixed(Primitives.bytes(type)) : codec.extent();
        }
    }

    static RecordShape of(Class<?> type, MethodHandle constructor, List<Component> components) {
        Extent extent = Extent.fixed(0);
        for (Component component : components) {
            extent = extent.and(component.extent());
        }
        return new RecordShape(type, constructor, List.copyOf(components), extent);
    }
}
