package io.dxnet.tools.bench;

import io.dxnet.DXNet;

/** Machine and Java of this process, in words. */
final class HostInfo {
    private HostInfo() {}

    static String line(DXNet net) {
        return "pid " + ProcessHandle.current().pid() + ": " + net.describe();
    }

    static String machine() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors";
    }

    static String java() {
        return System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.name") + " "
                + Runtime.version();
    }
}
