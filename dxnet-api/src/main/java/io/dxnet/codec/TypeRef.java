package io.dxnet.codec;

import io.dxnet.MessagingUsageException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A type without variables.
 *
 * @param arguments the type arguments, or the element type of an array
 */
record TypeRef(Class<?> raw, List<TypeRef> arguments) {
    /**
     * Type arguments inside type arguments: without an end,
     * {@code record R<T>(R<List<T>> next)} would have no end.
     */
    private static final int NESTING_MAX = 16;

    static TypeRef of(Class<?> type, String where) {
        return of(type, Map.of(), where);
    }

    /**
     * Replaces the variables in a type.
     *
     * @param where names the place of the type in errors
     */
    static TypeRef of(Type type, Map<TypeVariable<?>, TypeRef> variables, String where) {
        return switch (type) {
            case Class<?> plain
            when plain.isArray() -> new TypeRef(plain, List.of(of(plain.getComponentType(), variables, where)));
            case Class<?> plain -> new TypeRef(plain, List.of());
            case ParameterizedType generic -> generic(generic, variables, where);
            case GenericArrayType array -> {
                TypeRef element = of(array.getGenericComponentType(), variables, where);
                yield checked(new TypeRef(element.raw().arrayType(), List.of(element)), where);
            }
            case WildcardType wildcard -> of(wildcard.getUpperBounds()[0], variables, where);
            case TypeVariable<?> variable -> {
                TypeRef known = variables.get(variable);
                if (known == null) {
                    throw new MessagingUsageException(where + " has the type variable " + variable + ", of which "
                            + "no value is known: put the generic type, with its type arguments, into a component of "
                            + "a record that has none");
                }
                yield known;
            }
            default -> throw new MessagingUsageException(where + " is a " + type.getTypeName());
        };
    }

    private static TypeRef generic(ParameterizedType type, Map<TypeVariable<?>, TypeRef> variables, String where) {
        List<TypeRef> arguments = new ArrayList<>();
        for (Type argument : type.getActualTypeArguments()) {
            arguments.add(of(argument, variables, where));
        }
        return checked(new TypeRef((Class<?>) type.getRawType(), List.copyOf(arguments)), where);
    }

    private static TypeRef checked(TypeRef type, String where) {
        if (type.nesting() > NESTING_MAX) {
            throw new MessagingUsageException(where + " has type arguments nested deeper than " + NESTING_MAX
                    + ": a type must not contain itself with ever longer arguments");
        }
        return type;
    }

    private int nesting() {
        int deepest = 0;
        for (TypeRef argument : arguments) {
            deepest = Math.max(deepest, argument.nesting());
        }
        return deepest + 1;
    }

    /** {@return what the type parameters of the class stand for} */
    Map<TypeVariable<?>, TypeRef> variables() {
        Map<TypeVariable<?>, TypeRef> variables = new HashMap<>();
        TypeVariable<?>[] parameters = raw.getTypeParameters();
        for (int i = 0; i < parameters.length && i < arguments.size(); i++) {
            variables.put(parameters[i], arguments.get(i));
        }
        return variables;
    }

    /**
     * {@return a class that this sealed interface permits, with the type arguments that
     * follow from those of this type}
     */
    TypeRef permitted(Class<?> subclass, String where) {
        Map<TypeVariable<?>, TypeRef> variables = new HashMap<>();
        for (Type parent : subclass.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType generic && generic.getRawType() == raw) {
                Type[] passed = generic.getActualTypeArguments();
                for (int i = 0; i < passed.length && i < arguments.size(); i++) {
                    if (passed[i] instanceof TypeVariable<?> variable) {
                        variables.put(variable, arguments.get(i));
                    }
                }
            }
        }
        List<TypeRef> values = new ArrayList<>();
        for (TypeVariable<?> parameter : subclass.getTypeParameters()) {
            values.add(of(parameter, variables, where));
        }
        return new TypeRef(subclass, List.copyOf(values));
    }

    /** As in source. */
    @Override
    public String toString() {
        if (raw.isArray()) {
            return arguments.get(0) + "[]";
        }
        StringBuilder text = new StringBuilder(raw.getTypeName());
        for (int i = 0; i < arguments.size(); i++) {
            text.append(i == 0 ? "<" : ", ").append(arguments.get(i));
        }
        return text.append(arguments.isEmpty() ? "" : ">").toString();
    }
}
