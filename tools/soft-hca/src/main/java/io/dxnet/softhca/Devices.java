package io.dxnet.softhca;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The devices of this JVM, by name: {@code softN} (Ethernet, RoCE v2), {@code softibN} (InfiniBand,
 * with LIDs) and {@code idleN} (does nothing). The method {@link #find} makes a device at its first
 * call for the name; {@code soft0}, {@code soft1} and {@code idle0} exist from the start. A device
 * {@code soft@ADDRESS} reaches other processes and machines, by RoCEv2.
 */
final class Devices {
    private static final Pattern NAME = Pattern.compile("(soft|softib|idle)(0|[1-9][0-9]?)");
    private static final Pattern WIRE_NAME = Pattern.compile("soft@([0-9]{1,3}(?:\\.[0-9]{1,3}){3})");
    private static final Map<String, SoftDevice> BY_NAME = new TreeMap<>();

    static {
        find("soft0");
        find("soft1");
        find("idle0");
    }

    private Devices() {}

    /** The device of this name, made where it is new, or null if no device may have the name. */
    static synchronized SoftDevice find(String name) {
        SoftDevice device = BY_NAME.get(name);
        Matcher matcher = NAME.matcher(name);
        if (device == null && matcher.matches()) {
            String kind = matcher.group(1);
            int number = Integer.parseInt(matcher.group(2));
            device = new SoftDevice(name, number, kind.equals("softib"), kind.equals("idle"));
            BY_NAME.put(name, device);
        }
        Matcher wire = WIRE_NAME.matcher(name);
        if (device == null && wire.matches()) {
            int address = WireAddress.parse(wire.group(1));
            if (address != 0) {
                device = new SoftDevice(name, address);
                BY_NAME.put(name, device);
            }
        }
        return device;
    }

    /** The devices that are plugged in, idle ones or the others. */
    static synchronized List<SoftDevice> present(boolean idle) {
        List<SoftDevice> present = new ArrayList<>();
        for (SoftDevice device : BY_NAME.values()) {
            if (device.isIdle() == idle && !device.isRemoved()) {
                present.add(device);
            }
        }
        return present;
    }

    /** The device whose {@code ibv_device} is at this address, or null. */
    static synchronized SoftDevice at(long struct) {
        for (SoftDevice device : BY_NAME.values()) {
            if (device.struct() == struct) {
                return device;
            }
        }
        return null;
    }

    /**
     * The device that a path from {@code from} leads to, or null: by LID on InfiniBand, by GID on
     * Ethernet. The two networks are apart, and so are the idle devices.
     */
    static synchronized SoftDevice reachable(SoftDevice from, boolean global, Gid dgid, int dlid) {
        for (SoftDevice device : BY_NAME.values()) {
            if (device.isInfiniband() == from.isInfiniband()
                    && device.isIdle() == from.isIdle()
                    && !device.isWire()
                    && !from.isWire()) {
                boolean here = from.isInfiniband() && !(global && dlid == 0)
                        ? device.lid() == dlid
                        : global && device.hasGid(dgid);
                if (here) {
                    return device;
                }
            }
        }
        return null;
    }
}
