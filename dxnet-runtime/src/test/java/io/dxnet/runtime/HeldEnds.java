package io.dxnet.runtime;

import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportProvider;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Loopback transports that first do something else where they are to close a connection. */
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
        TransportProvider loopback = new LoopbackTransportProvider();
        return proxy(TransportProvider.class, (method, arguments) -> {
            Object result = method.invoke(loopback, arguments);
            return result instanceof Transport transport ? held(transport, first) : result;
        });
    }

    private static Transport held(Transport loopback, Runnable first) {
        return proxy(Transport.class, (method, arguments) -> {
            if (method.getName().equals("close") && arguments != null) {
                first.run();
            }
            return method.invoke(loopback, arguments);
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
