package io.dxnet.tools.example;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the words of a text: each node reads one of the
 * lines, and adds each word on the node that stores it.
 */
final class WordCount {
    private static final List<String> TEXT = List.of(
            "a message is an object that travels from node to node",
            "a node is a process that sends an object to a node",
            "an object is a message when it travels to a node");

    private WordCount() {}

    static void demo() throws IOException {
        List<Integer> ports = freePorts(TEXT.size());
        List<KvNode> nodes = new ArrayList<>();
        try {
            for (int id = 0; id < TEXT.size(); id++) {
                NodeMap map = new NodeMap(id);
                for (int other = 0; other < TEXT.size(); other++) {
                    map.put(other, "127.0.0.1:" + ports.get(other));
                }
                nodes.add(new KvNode(DXNetConfig.builder().systemProperties().build(), map));
            }
            for (int id = 0; id < nodes.size(); id++) {
                for (String word : TEXT.get(id).split(" ")) {
                    nodes.get(id).add(word, 1);
                }
                nodes.get(id).keys(); // answered after what was added
            }
            Map<String, String> counts = new TreeMap<>();
            for (String word : nodes.getFirst().keys()) {
                counts.put(word, nodes.getFirst().get(word));
            }
            counts.forEach((word, count) -> System.out.printf("%-8s %s%n", word, count));
        } finally {
            nodes.forEach(KvNode::close);
        }
    }

    static List<Integer> freePorts(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            try (ServerSocket socket = new ServerSocket(0)) {
                ports.add(socket.getLocalPort());
            }
        }
        return ports;
    }
}
