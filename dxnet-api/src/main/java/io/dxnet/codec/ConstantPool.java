package io.dxnet.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The constant pool of a class file (JVMS §4.4): each entry once. */
final class ConstantPool {
    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int CLASS = 7;
    private static final int METHOD_REF = 10;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int DYNAMIC = 17;
    private static final int INVOKE_STATIC = 6;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final Map<List<Object>, Integer> indices = new HashMap<>();

    int utf8(String text) {
        return entry(List.of(UTF8, text), () -> out.writeUTF(text));
    }

    int integer(int value) {
        return entry(List.of(INTEGER, value), () -> out.writeInt(value));
    }

    int classRef(String internalName) {
        int name = utf8(internalName);
        return entry(List.of(CLASS, name), () -> out.writeShort(name));
    }

    int method(String owner, String name, String descriptor) {
        return pair(METHOD_REF, classRef(owner), nameAndType(name, descriptor));
    }

    int staticMethodHandle(String owner, String name, String descriptor) {
        int method = method(owner, name, descriptor);
        return entry(List.of(METHOD_HANDLE, method), () -> {
            out.writeByte(INVOKE_STATIC);
            out.writeShort(method);
        });
    }

    /** {@return a constant that entry {@code bootstrap} of the bootstrap methods computes} */
    int dynamic(int bootstrap, String name, String descriptor) {
        return pair(DYNAMIC, bootstrap, nameAndType(name, descriptor));
    }

    private int nameAndType(String name, String descriptor) {
        return pair(NAME_AND_TYPE, utf8(name), utf8(descriptor));
    }

    private int pair(int tag, int first, int second) {
        return entry(List.of(tag, first, second), () -> {
            out.writeShort(first);
            out.writeShort(second);
        });
    }

    private int entry(List<Object> key, Body body) {
        Integer known = indices.get(key);
        if (known != null) {
            return known;
        }
        int index = indices.size() + 1;
        indices.put(key, index);
        try {
            out.writeByte((int) key.get(0));
            body.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return index;
    }

    void writeTo(DataOutputStream file) throws IOException {
        file.writeShort(indices.size() + 1);
        bytes.writeTo(file);
    }

    private interface Body {
        void write() throws IOException;
    }
}
