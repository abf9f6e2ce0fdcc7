package io.dxnet.tools.bench;

import io.dxnet.ConfigKey;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./dxnet info}: what a node would use here, and the table of configuration keys. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        description = {
            "Shows this JVM and what a node with transport=auto uses on this machine; with --config, the keys of the"
                    + " configuration."
        })
final class InfoCommand implements Callable<Integer> {
    @Option(names = "--config", description = "print the table of configuration keys, as Markdown")
    private boolean config;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (config) {
            out.print(configTable());
        } else {
            out.printf(
                    "Java %s on %d cores%n",
                    Runtime.version(), Runtime.getRuntime().availableProcessors());
            NodeMap nodes = new NodeMap(0).put(0, "127.0.0.1:0");
            try (DXNet net = DXNet.builder(nodes)
                    .config(DXNetConfig.builder().systemProperties().build())
                    .start()) {
                out.println(net.describe());
            }
        }
        out.flush();
        return 0;
    }

    /**
     * {@return the keys with default, allowed values and meaning, as
     * docs/CONFIGURATION.md has them}
     */
    static String configTable() {
        StringBuilder table =
                new StringBuilder("| key | default | allowed | unit | meaning |\n|---|---|---|---|---|\n");
        for (ConfigKey key : ConfigKey.values()) {
            table.append("| `%s` | %s | %s | %s | %s |\n"
                    .formatted(
                            key.key(),
                            key.text(key.standard()),
                            key.allowed(),
                            key.unit().symbol(),
                            key.meaning()));
        }
        return table.toString();
    }
}
