package io.dxnet.tools.report;

/** Machine and Java of this process, in words. */
public final class HostInfo {
    private HostInfo() {}

    /**
     * The system and the processors.
     *
     * @return one line
     */
    public static String machine() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors";
    }

    /**
     * The Java that runs this.
     *
     * @return one line
     */
    public static String java() {
        return System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.name") + " "
                + Runtime.version();
    }
}
