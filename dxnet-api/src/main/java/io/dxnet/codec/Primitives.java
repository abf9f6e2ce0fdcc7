package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Writes and reads primitive components. These methods, and not {@link Exporter}'s, are what
 * method handles point at: a call inside a method has a type profile, so that the compiler can
 * inline the one exporter there is.
 */
final class Primitives {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private Primitives() {}

    /** {@return a handle {@code (type, Exporter, int depth)void}} */
    static MethodHandle writer(Class<?> type) {
        return handle("write", MethodType.methodType(void.class, type, Exporter.class, int.class));
    }

    /** {@return a handle {@code (Importer, int depth)type}} */
    static MethodHandle reader(Class<?> type) {
        String name = type.getName();
        String method = "read" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        return handle(method, MethodType.methodType(type, Importer.class, int.class));
    }

    private static MethodHandle handle(String name, MethodType type) {
        try {
            return LOOKUP.findStatic(Primitives.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the number of bytes of a primitive type} */
    static int bytes(Class<?> type) {
        return switch (type.getName()) {
            case "boolean", "byte" -> Byte.BYTES;
            case "short", "char" -> Short.BYTES;
            case "int", "float" -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }

    static void write(boolean value, Exporter to, int depth) {
        to.writeBoolean(value);
    }

    static boolean readBoolean(Importer from, int depth) {
        return from.readBoolean();
    }

    static void write(byte value, Exporter to, int depth) {
        to.writeByte(value);
    }

    static byte readByte(Importer from, int depth) {
        return from.readByte();
    }

    static void write(short value, Exporter to, int depth) {
        to.writeShort(value);
    }

    static short readShort(Importer from, int depth) {
        return from.readShort();
    }

    static void write(char value, Exporter to, int depth) {
        to.writeChar(value);
    }

    static char readChar(Importer from, int depth) {
        return from.readChar();
    }

    static void write(int value, Exporter to, int depth) {
        to.writeInt(value);
    }

    static int readInt(Importer from, int depth) {
        return from.readInt();
    }

    static void write(long value, Exporter to, int depth) {
        to.writeLong(value);
    }

    static long readLong(Importer from, int depth) {
        return from.readLong();
    }

    static void write(float value, Exporter to, int depth) {
        to.writeFloat(value);
    }

    static float readFloat(Importer from, int depth) {
        return from.readFloat();
    }

    static void write(double value, Exporter to, int depth) {
        to.writeDouble(value);
    }

    static double readDouble(Importer from, int depth) {
        return from.readDouble();
    }
}
