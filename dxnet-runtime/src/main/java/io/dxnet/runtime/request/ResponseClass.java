package io.dxnet.runtime.request;

import io.dxnet.Request;
import io.dxnet.Response;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;

/**
 * The class of the response that a request class declares: {@code Pong}
 * of {@code class Ping extends Request<Pong>}.
 */
final class ResponseClass {
    private static final ClassValue<Class<?>> CLASSES = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> request) {
            return find(request);
        }
    };

    private ResponseClass() {}

    /** {@return the declared class; {@link Response} where the declaration leaves it open} */
    static Class<?> of(Class<?> request) {
        return CLASSES.get(request);
    }

    private static Class<?> find(Class<?> request) {
        Class<?> raw = request;
        Type[] arguments = {};
        while (raw != Request.class) {
            Type parent = raw.getGenericSuperclass();
            if (!(parent instanceof ParameterizedType generic)) {
                raw = raw.getSuperclass();
                arguments = new Type[0];
                continue;
            }
            Type[] next = generic.getActualTypeArguments();
            for (int i = 0; i < next.length; i++) {
                next[i] = resolve(next[i], raw, arguments);
            }
            raw = (Class<?>) generic.getRawType();
            arguments = next;
        }
        Type found = arguments.length == 1 ? arguments[0] : Response.class;
        if (found instanceof ParameterizedType generic) {
            found = generic.getRawType();
        }
        return found instanceof Class<?> known ? known : Response.class;
    }

    private static Type resolve(Type type, Class<?> declaring, Type[] arguments) {
        if (type instanceof TypeVariable<?> variable) {
            TypeVariable<?>[] variables = declaring.getTypeParameters();
            for (int i = 0; i < variables.length && i < arguments.length; i++) {
                if (variables[i].equals(variable)) {
                    return arguments[i];
                }
            }
        }
        return type;
    }
}
