package io.dxnet.verbs.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the link of the device under test bad. It does so with the command of
 * {@code -Ddxnet.verbs.fault} ({@code fault NODE FAULT…}, as
 * {@code tools/rxe-testbed/fault}, where the device is node
 * {@code -Ddxnet.verbs.node}, default 1), or with the software device's own switches.
 */
interface LinkFaults {
    /**
     * {@code loss PERCENT}, {@code delay MS}, {@code reorder PERCENT}, {@code duplicate PERCENT},
     * {@code corrupt PERCENT}, {@code cut} (the port knows) or {@code heal}. The test does not run
     * where the link cannot be made bad in this way.
     */
    void apply(String... fault) throws Exception;

    /** The faults of this machine; the test does not run where there are none. */
    static LinkFaults here() {
        String command = System.getProperty("dxnet.verbs.fault", "");
        if (!command.isEmpty()) {
            return new Command(command, System.getProperty("dxnet.verbs.node", "1"));
        }
        Rig.only(Rig.isSoft(), "nothing here can make a link bad (-Ddxnet.verbs.fault)");
        Rig.device();
        return new Soft();
    }

    /** An external command. */
    record Command(String command, String node) implements LinkFaults {
        @Override
        public void apply(String... fault) throws IOException, InterruptedException {
            List<String> words = new ArrayList<>(List.of(command, node));
            words.addAll(List.of(fault));
            int code = new ProcessBuilder(words).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IOException(words + " ended with " + code);
            }
        }
    }

    /**
     * {@code io.dxnet.softhca.SoftFaults}, by reflection: the suite
     * must compile and run without the software device.
     */
    final class Soft implements LinkFaults {
        @Override
        public void apply(String... fault) throws ReflectiveOperationException {
            Rig.only(!fault[0].equals("duplicate") || Rig.isOnWire(), "it has no packets that could come twice");
            SoftwareDevice.call("play", fault);
        }
    }
}
