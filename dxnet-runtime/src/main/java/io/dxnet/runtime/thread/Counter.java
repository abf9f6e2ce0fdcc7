package io.dxnet.runtime.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter with one writer and any number of readers: no atomic instruction, no torn value. */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value; // the writer

    public void add(long n) {
        VALUE.setOpaque(this, value + n);
    }

    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
