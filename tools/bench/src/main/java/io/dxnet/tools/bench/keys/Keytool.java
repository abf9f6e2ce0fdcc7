package io.dxnet.tools.bench.keys;

import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the JDK's keytool, which makes keys and certificates. The password is in the environment of
 * the child process, not in its arguments, which other users can read.
 */
final class Keytool {
    static final String FORMAT = "PKCS12";
    private static final String VARIABLE = "DXNET_STORE_PASSWORD";
    private static final int SECONDS_MAX = 120;

    private Keytool() {}

    /** Makes a key on the curve P-256 with its certificate, and adds both to a store. */
    static void generate(Path store, String alias, char[] password, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-storetype",
                FORMAT,
                "-keystore",
                store.toString(),
                "-storepass:env",
                VARIABLE,
                "-alias",
                alias));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(VARIABLE, new String(password));
        run(builder);
    }

    private static void run(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        try {
            process.getOutputStream().close(); // it asks nothing
            String text = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new ToolException("keytool did not end within " + SECONDS_MAX + " s");
            }
            if (process.exitValue() != 0) {
                throw new ToolException("keytool failed: " + text.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
