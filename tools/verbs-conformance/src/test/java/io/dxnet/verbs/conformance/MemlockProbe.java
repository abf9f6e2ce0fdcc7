package io.dxnet.verbs.conformance;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;

/**
 * Prints how registering memory ends in a process with few rights, which may not even read the test
 * libraries: it needs the binding only.
 */
final class MemlockProbe {
    private MemlockProbe() {}

    public static void main(String[] arguments) {
        long bytes = Long.parseLong(arguments[0]);
        try (Context context =
                        Device.named(System.getProperty("dxnet.verbs.device")).open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            try (MemoryRegion region = domain.allocate(bytes, Access.LOCAL_WRITE)) {
                System.out.println("REGISTERED " + region.byteSize());
            } catch (VerbsException e) {
                System.out.println("ERRNO " + e.errno() + " " + e.getMessage());
            }
        }
    }
}
