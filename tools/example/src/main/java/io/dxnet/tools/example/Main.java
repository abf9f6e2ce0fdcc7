package io.dxnet.tools.example;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** {@code ./dxnet node}: a node of the key-value store with a prompt, or {@code --demo}. */
public final class Main {
    private static final String USAGE = """
            usage: ./dxnet node --id ID --node-map FILE [COMMAND]   one node of a distributed key-value store; FILE has id=host:port lines
                   ./dxnet node --demo                              three nodes in this process count words
                   on several machines, state how nodes know each other: DXNET_JAVA_OPTS='-Ddxnet.security=key -Ddxnet.keyFile=FILE' ./dxnet node ...
            commands (as arguments, or one per line on standard input; all nodes of the map must run):
              put KEY VALUE    get KEY    add KEY NUMBER    keys    quit""";

    private Main() {}

    /**
     * Runs a node.
     *
     * @param args as {@link #USAGE} describes
     * @throws IOException when a node can't be reached
     */
    public static void main(String[] args) throws IOException {
        List<String> words = List.of(args);
        if (words.equals(List.of("--demo"))) {
            WordCount.demo();
        } else if (words.size() >= 4
                && words.get(0).equals("--id")
                && words.get(2).equals("--node-map")) {
            try {
                run(words);
            } catch (IllegalArgumentException | UncheckedIOException e) {
                System.err.println("node: " + e.getMessage());
                System.exit(2);
            }
        } else {
            System.out.println(USAGE);
            System.exit(words.contains("--help") ? 0 : 2);
        }
    }

    private static void run(List<String> words) throws IOException {
        NodeMap map = NodeMap.load(Integer.parseInt(words.get(1)), Path.of(words.get(3)));
        DXNetConfig config = DXNetConfig.builder().systemProperties().build();
        try (KvNode node = new KvNode(config, map)) {
            if (words.size() > 4) {
                execute(node, words.subList(4, words.size()));
            } else {
                prompt(node);
            }
        }
    }

    private static void prompt(KvNode node) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null && !line.equals("quit"); line = in.readLine()) {
            try {
                execute(node, List.of(line.strip().split(" +", 3)));
            } catch (DXNetException | NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static void execute(KvNode node, List<String> words) throws DXNetException {
        switch (words.getFirst() + " " + (words.size() - 1)) {
            case "put 2" -> System.out.println(node.put(words.get(1), words.get(2)));
            case "get 1" -> System.out.println(node.get(words.get(1)));
            case "add 2" -> node.add(words.get(1), Long.parseLong(words.get(2)));
            case "keys 0" -> System.out.println(String.join(" ", node.keys()));
            default -> System.out.println(USAGE);
        }
    }
}
