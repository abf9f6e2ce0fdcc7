package io.dxnet.runtime;

import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportProvider;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Loopback transports that do something else where they close a connection, or themselves. */
final class HeldEnds {
    private HeldEnds() {}

    /** A call of an interface's method. */
    private interface Call {
        Object run(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    /**
     * Offers such a transport.
     *
     * @param first runs on the thread that closes the connection
     */
    static TransportProvider provider(Runnable first) {
        return provider(first, () -> {});
    }

    /**
     * Offers such a transport.
     *
     * @param first runs on the thread that closes a connection
     * @param last runs where the transport has closed itself
     */
    static TransportProvider provider(Runnable first, Runnable last) {
        TransportProvider loopback = new LoopbackTransportProvider();
        return proxy(TransportProvider.class, (method, arguments) -> {
            Object result = method.invoke(loopback, arguments);
            return result instanceof Transport transport ? held(transport, first, last) : result;
        });
    }

    private static Transport held(Transport loopback, Runnable first, Runnable last) {
        return proxy(Transport.class, (method, arguments) -> {
            boolean isClose = method.getName().equals("close");
            if (isClose && arguments != null) {
                first.run();
            }
            Object result = method.invoke(loopback, arguments);
            if (isClose && arguments == null) {
                last.run();
            }
            return result;
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return call.run(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
