package io.dxnet.tools.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

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
                + Runtime.getRuntime().availableProcessors() + " processors" + processorModel();
    }

    /**
     * Returns what was measured: version and commit,
     * which the launcher passes as a system property.
     *
     * @return one line
     */
    public static String version() {
        return "DXNet " + System.getProperty("dxnet.tools.version", "of an unknown version");
    }

    /** Linux names it; elsewhere nothing. */
    private static String processorModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
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
