package io.dxnet.runtime;

import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Supplier;

/** Implementations of interfaces that do nothing. */
public final class Stub {
    private Stub() {}

    /** One whose methods return 0, false or null. */
    public static <T> T of(Class<T> type) {
        return of(type, Map.of());
    }

    /**
     * One whose methods return these.
     *
     * @param results by the method's name, of a {@link Supplier} what it supplies at each call;
     *     of the others 0, false or null
     */
    public static <T> T of(Class<T> type, Map<String, Object> results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (results.get(method.getName()) instanceof Supplier<?> result) {
                        return result.get();
                    }
                    Class<?> returns = method.getReturnType();
                    return results.containsKey(method.getName()) || !returns.isPrimitive() || returns == void.class
                            ? results.get(method.getName())
                            : Array.get(Array.newInstance(returns, 1), 0);
                }));
    }
}
