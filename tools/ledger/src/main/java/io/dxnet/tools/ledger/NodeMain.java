package io.dxnet.tools.ledger;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.ledger.node.LedgerNode;
import io.dxnet.tools.ledger.node.NodeSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A node in a process of its own: executes the commands
 * on its standard input and confirms each line.
 */
@Command(name = "ledger-node", hidden = true)
public final class NodeMain implements Callable<Integer> {
    /** What a line begins with that confirms one. */
    static final String CONFIRMED = "@";

    static final String READY = "0";

    private static final Logger LOGGER = Logger.getLogger("io.dxnet");

    @Mixin
    private LedgerOptions options;

    @Option(names = "--events", required = true)
    private EventMode events;

    @Option(names = "--node", required = true)
    private int node;

    @Option(names = "--run", required = true)
    private int run;

    @Option(names = "--seed", required = true)
    private long seed;

    @Option(names = "--books", required = true)
    private Path directory;

    @Option(names = "--addresses", required = true, split = ",")
    private List<String> addresses;

    private NodeMain() {}

    /**
     * Runs the node; ends with its standard input.
     *
     * @param arguments of {@link #arguments}
     */
    public static void main(String[] arguments) {
        LOGGER.setLevel(Level.OFF);
        System.exit(new CommandLine(new NodeMain()).execute(arguments));
    }

    static List<String> arguments(LedgerOptions options, EventMode events, NodeSpec spec, List<String> addresses) {
        List<String> arguments = options.arguments();
        arguments.addAll(List.of("--events=" + events, "--node=" + spec.node(), "--run=" + spec.run()));
        arguments.addAll(List.of("--seed=" + spec.seed(), "--books=" + spec.directory()));
        arguments.add("--addresses=" + String.join(",", addresses));
        return arguments;
    }

    @Override
    public Integer call() throws IOException {
        DXNetConfig config = Transports.onOwnDevice(options.config(events, seed, run), node);
        warmUp(config);
        Levels before = Levels.now();
        LedgerNode ledgerNode =
                new LedgerNode(options.spec(node, run, seed, directory), config, LocalHost.map(node, addresses));
        System.out.println(CONFIRMED + READY);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            obey(ledgerNode, config, words, before);
            System.out.println(CONFIRMED + words[0]);
        }
        return 0;
    }

    /**
     * What the JVM keeps for ever after the first use of
     * sockets is there before the first measurement. At a port of its own: the others would
     * send to a node that has no types. The kernel chooses it, as it does for no node of the map.
     */
    private void warmUp(DXNetConfig config) {
        String address = addresses.get(node);
        String host = address.substring(0, address.lastIndexOf(':'));
        try (DXNet net = new DXNet(config, new NodeMap(node).put(node, host + ":0"))) {
            net.connectNode(node);
        } catch (DXNetException e) {
            return; // it is only to warm up
        }
    }

    private static void obey(LedgerNode node, DXNetConfig config, String[] words, Levels before) {
        switch (words[1]) {
            case "traffic" -> node.startTraffic();
            case "stop" -> node.stopTraffic();
            case "disconnect" -> node.disconnect(Integer.parseInt(words[2]));
            case "slow" -> node.slow(Integer.parseInt(words[2]));
            case "moved" -> node.moved(Integer.parseInt(words[2]), words[3]);
            case "fault" -> new SoftLinkFaults(config).begin(Long.parseLong(words[2]));
            case "heal" -> new SoftLinkFaults(config).end();
            case "close" -> {
                node.close();
                String leaked = Levels.now().growthSince(before);
                if (!leaked.isEmpty()) {
                    node.leaked(leaked);
                }
            }
            default -> throw new IllegalArgumentException("there is no command " + words[1]);
        }
    }
}
