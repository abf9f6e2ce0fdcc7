package io.dxnet.verbs.conformance;

/**
 * The switches of the software device under test ({@code io.dxnet.softhca.SoftFaults}), reached by
 * reflection: the suite must compile and run without it.
 */
final class SoftwareDevice {
    private SoftwareDevice() {}

    /** Calls a method of the switches with one argument. */
    static void call(String method, Object argument) throws ReflectiveOperationException {
        Class<?> type = Class.forName("io.dxnet.softhca.SoftFaults");
        Object faults = type.getMethod("of", String.class).invoke(null, Rig.DEVICE);
        Class<?> parameter = argument instanceof Long ? long.class : argument.getClass();
        type.getMethod(method, parameter).invoke(faults, argument);
    }
}
