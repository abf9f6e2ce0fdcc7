package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Defines a hidden subclass of {@link RecordCodec} for one record. It is what this would be,
 * could handles be named in Java:
 *
 * <pre>{@code
 * void write(Object value, Exporter to, int depth) {
 *     depth = sending(depth);
 *     WRITE_0.invokeExact(value, to, depth);   // of the first component; a constant, so that it is inlined
 *     WRITE_1.invokeExact(value, to, depth);
 * }
 *
 * int size(Object value, int depth) { depth = sending(depth); return Math.addExact(FIXED,
 *     SIZE_1.invokeExact(value, depth)); // of the components whose size varies }
 *
 * Object read(Importer from, int depth) {
 *     depth = receiving(depth);
 *     return NEW.invokeExact(READ_0.invokeExact(from, depth), READ_1.invokeExact(from, depth));
 * }
 * }</pre>
 *
 * <p>The class names neither the record nor its types: the handles, which come as class data, hide
 * them. So it is independent of class loaders and of access. A handle alone
 * ({@link java.lang.invoke.MethodHandleProxies}) would not be a constant.
 */
final class RecordClass {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final int CLASS_FILE_VERSION = 66; // Java 22
    private static final int ACC_FINAL_SUPER = 0x0030;
    private static final int ACC_PUBLIC = 0x0001;

    private static final String SUPER = "io/dxnet/codec/RecordCodec";
    private static final String HANDLE = "java/lang/invoke/MethodHandle";
    private static final String HANDLE_TYPE = "Ljava/lang/invoke/MethodHandle;";
    private static final String CONSTRUCTOR_TYPE = "(Lio/dxnet/codec/RecordShape;)V";
    private static final String NAME_OF_CLASS_DATA = "_"; // as MethodHandles.classDataAt demands

    private static final MethodType WRITE = MethodType.methodType(void.class, Object.class, Exporter.class, int.class);
    private static final MethodType SIZE = MethodType.methodType(int.class, Object.class, int.class);
    private static final MethodType READ = MethodType.methodType(Object.class, Importer.class, int.class);

    private final ConstantPool pool = new ConstantPool();
    private final List<MethodHandle> handles = new ArrayList<>();
    private final RecordShape shape;

    private RecordClass(RecordShape shape) {
        this.shape = shape;
    }

    static RecordCodec define(RecordShape shape) {
        RecordClass definition = new RecordClass(shape);
        try {
            byte[] file = definition.file();
            MethodHandles.Lookup hidden =
                    LOOKUP.defineHiddenClassWithClassData(file, List.copyOf(definition.handles), true);
            MethodType type = MethodType.methodType(void.class, RecordShape.class);
            return (RecordCodec)
                    hidden.findConstructor(hidden.lookupClass(), type).invoke(shape);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Throwable e) {
            throw new AssertionError("the codec of " + shape.type().getName() + " is not a class", e);
        }
    }

    private byte[] file() throws IOException {
        ByteArrayOutputStream methods = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(methods);
        constructor(out);
        write(out);
        size(out);
        read(out);
        int self = pool.classRef("io/dxnet/codec/DerivedRecordCodec");
        int parent = pool.classRef(SUPER);
        ByteArrayOutputStream bootstraps = new ByteArrayOutputStream();
        bootstraps(new DataOutputStream(bootstraps));

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream file = new DataOutputStream(bytes);
        file.writeInt(0xCAFEBABE);
        file.writeInt(CLASS_FILE_VERSION);
        pool.writeTo(file);
        file.writeShort(ACC_FINAL_SUPER);
        file.writeShort(self);
        file.writeShort(parent);
        file.writeShort(0); // interfaces
        file.writeShort(0); // fields
        file.writeShort(4); // methods
        methods.writeTo(file);
        file.writeShort(1); // attributes
        bootstraps.writeTo(file);
        return bytes.toByteArray();
    }

    private void method(DataOutputStream out, String name, String type, StraightCode code, int stackMax, int localsMax)
            throws IOException {
        out.writeShort(ACC_PUBLIC);
        out.writeShort(pool.utf8(name));
        out.writeShort(pool.utf8(type));
        out.writeShort(1); // attributes
        code.writeTo(out, pool.utf8("Code"), stackMax, localsMax);
    }

    private void constructor(DataOutputStream out) throws IOException {
        StraightCode code = new StraightCode()
                .loadReference(0)
                .loadReference(1)
                .invokeSpecial(pool.method(SUPER, "<init>", CONSTRUCTOR_TYPE))
                .returnNothing();
        method(out, "<init>", CONSTRUCTOR_TYPE, code, 2, 2);
    }

    private void write(DataOutputStream out) throws IOException {
        StraightCode code = deeper("sending", 3);
        for (RecordShape.Component component : shape.components()) {
            code.push(handle(writer(component)))
                    .loadReference(1)
                    .loadReference(2)
                    .loadInt(3)
                    .invokeVirtual(invokeExact(WRITE));
        }
        method(out, "write", WRITE.descriptorString(), code.returnNothing(), 4, 4);
    }

    private void size(DataOutputStream out) throws IOException {
        int fixed = 0;
        for (RecordShape.Component component : shape.components()) {
            fixed += component.extent().isFixed() ? component.extent().bytesMin() : 0;
        }
        StraightCode code = deeper("sending", 2).push(pool.integer(fixed));
        for (RecordShape.Component component : shape.components()) {
            if (!component.extent().isFixed()) {
                code.push(handle(sizer(component)))
                        .loadReference(1)
                        .loadInt(2)
                        .invokeVirtual(invokeExact(SIZE))
                        .invokeStatic(pool.method("java/lang/Math", "addExact", "(II)I"));
            }
        }
        method(out, "size", SIZE.descriptorString(), code.returnInt(), 4, 3);
    }

    private void read(DataOutputStream out) throws IOException {
        MethodHandle constructor = erased(shape.constructor());
        StraightCode code = deeper("receiving", 2).push(handle(constructor));
        int slots = 1;
        for (RecordShape.Component component : shape.components()) {
            MethodHandle reader = reader(component);
            code.push(handle(reader)).loadReference(1).loadInt(2).invokeVirtual(invokeExact(reader.type()));
            slots += slots(component.type());
        }
        code.invokeVirtual(invokeExact(constructor.type())).returnReference();
        method(out, "read", READ.descriptorString(), code, slots + 3, 3);
    }

    /** {@return code that checks the depth and increments it} */
    private StraightCode deeper(String check, int depthLocal) {
        return new StraightCode()
                .loadReference(0)
                .loadInt(depthLocal)
                .invokeVirtual(pool.method(SUPER, check, "(I)I"))
                .storeInt(depthLocal);
    }

    /** {@return the stack slots of a value} */
    static int slots(Class<?> type) {
        return type == long.class || type == double.class ? 2 : 1;
    }

    private int invokeExact(MethodType type) {
        return pool.method(HANDLE, "invokeExact", type.descriptorString());
    }

    // ---------------------------------------------------------------- handles

    private int handle(MethodHandle handle) {
        handles.add(handle);
        return pool.dynamic(handles.size() - 1, NAME_OF_CLASS_DATA, HANDLE_TYPE);
    }

    /** One bootstrap for each handle: {@code MethodHandles.classDataAt} with its index. */
    private void bootstraps(DataOutputStream out) throws IOException {
        int name = pool.utf8("BootstrapMethods");
        int bootstrap = pool.staticMethodHandle(
                "java/lang/invoke/MethodHandles",
                "classDataAt",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)Ljava/lang/Object;");
        out.writeShort(name);
        out.writeInt(2 + 6 * handles.size());
        out.writeShort(handles.size());
        for (int i = 0; i < handles.size(); i++) {
            out.writeShort(bootstrap);
            out.writeShort(1); // arguments
            out.writeShort(pool.integer(i));
        }
    }

    private static MethodHandle writer(RecordShape.Component component) {
        MethodHandle write = component.codec() == null
                ? Primitives.writer(component.type())
                : bound(component.codec(), "write", WRITE);
        return of(component, write, WRITE);
    }

    private static MethodHandle sizer(RecordShape.Component component) {
        ValueCodec codec = Objects.requireNonNull(component.codec(), "the size of a primitive is fixed");
        return of(component, bound(codec, "size", SIZE), SIZE);
    }

    private static MethodHandle reader(RecordShape.Component component) {
        return component.codec() == null ? Primitives.reader(component.type()) : bound(component.codec(), "read", READ);
    }

    /** {@return a handle that applies {@code handle} to the component of a record} */
    private static MethodHandle of(RecordShape.Component component, MethodHandle handle, MethodType type) {
        Class<?> argument = handle.type().parameterType(0);
        MethodHandle accessor = component.accessor().asType(MethodType.methodType(argument, shapeless(component)));
        return MethodHandles.filterArguments(handle, 0, accessor).asType(type);
    }

    private static Class<?> shapeless(RecordShape.Component component) {
        return component.accessor().type().parameterType(0);
    }

    /** The codec is a constant of its exact class, so that the call is direct. */
    private static MethodHandle bound(ValueCodec codec, String name, MethodType type) {
        try {
            return LOOKUP.findVirtual(codec.getClass(), name, type).bindTo(codec);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the handle with {@code Object} in the place of every reference} */
    private static MethodHandle erased(MethodHandle handle) {
        return handle.asType(handle.type().erase());
    }
}
