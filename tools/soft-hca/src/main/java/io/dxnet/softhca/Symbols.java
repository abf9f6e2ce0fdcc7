package io.dxnet.softhca;

import java.lang.foreign.SymbolLookup;
import java.util.regex.Pattern;

/** The way from the providers to the stubs, with a readable failure where the device cannot run. */
final class Symbols {
    private static final Pattern SOFT = Pattern.compile("soft(ib)?\\d+|soft@[0-9.]+");
    private static final Pattern IDLE = Pattern.compile("idle\\d+");

    private Symbols() {}

    /**
     * Whether a device has this name and is plugged in. Where
     * devices cannot be made, {@link #find} reports why.
     */
    static boolean offers(String deviceName, boolean idle) {
        if (!(idle ? IDLE : SOFT).matcher(deviceName).matches()) {
            return false;
        }
        try {
            SoftDevice device = Devices.find(deviceName);
            return device != null && !device.isRemoved();
        } catch (LinkageError e) {
            return true;
        }
    }

    /**
     * Finds the exported functions.
     *
     * @param idle of the devices that do nothing
     * @throws UnsupportedOperationException if this is not Linux, or native access is denied
     */
    static SymbolLookup find(boolean idle) {
        try {
            return Upcalls.symbols(idle);
        } catch (LinkageError e) {
            Module module = Symbols.class.getModule();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UnsupportedOperationException(
                    "the software RDMA device needs Linux and --enable-native-access="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED") + ": " + cause.getMessage(),
                    e);
        }
    }
}
