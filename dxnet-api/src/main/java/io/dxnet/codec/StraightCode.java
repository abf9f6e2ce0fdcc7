package io.dxnet.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The code of one method without a branch, which therefore needs no stack map (JVMS §4.7.3,
 * §4.10.1). Writing to an array does not fail.
 */
final class StraightCode {
    private static final int LDC_W = 0x13;
    private static final int ILOAD = 0x15;
    private static final int ALOAD = 0x19;
    private static final int ISTORE = 0x36;
    private static final int IRETURN = 0xAC;
    private static final int ARETURN = 0xB0;
    private static final int RETURN = 0xB1;
    private static final int INVOKE_VIRTUAL = 0xB6;
    private static final int INVOKE_SPECIAL = 0xB7;
    private static final int INVOKE_STATIC = 0xB8;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private StraightCode op(int code) {
        bytes.write(code);
        return this;
    }

    private StraightCode u2(int value) {
        bytes.write(value >>> Byte.SIZE);
        bytes.write(value);
        return this;
    }

    /** Pushes a constant of one slot. */
    StraightCode push(int constant) {
        return op(LDC_W).u2(constant);
    }

    StraightCode loadReference(int local) {
        return op(ALOAD).op(local);
    }

    StraightCode loadInt(int local) {
        return op(ILOAD).op(local);
    }

    StraightCode storeInt(int local) {
        return op(ISTORE).op(local);
    }

    StraightCode invokeVirtual(int method) {
        return op(INVOKE_VIRTUAL).u2(method);
    }

    StraightCode invokeSpecial(int method) {
        return op(INVOKE_SPECIAL).u2(method);
    }

    StraightCode invokeStatic(int method) {
        return op(INVOKE_STATIC).u2(method);
    }

    StraightCode returnNothing() {
        return op(RETURN);
    }

    StraightCode returnInt() {
        return op(IRETURN);
    }

    StraightCode returnReference() {
        return op(ARETURN);
    }

    /** Writes the method's Code attribute. */
    void writeTo(DataOutputStream file, int attributeName, int stackMax, int localsMax) throws IOException {
        file.writeShort(attributeName);
        file.writeInt(12 + bytes.size());
        file.writeShort(stackMax);
        file.writeShort(localsMax);
        file.writeInt(bytes.size());
        bytes.writeTo(file);
        file.writeShort(0); // exceptions
        file.writeShort(0); // attributes
    }
}
