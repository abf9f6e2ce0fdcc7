package io.dxnet.tools.example;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.io.IOException;
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
        List<KvNode> nodes = new ArrayList<>();
        try {
            for (NodeMap map : LocalNodes.maps(TEXT.size())) {
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
}
