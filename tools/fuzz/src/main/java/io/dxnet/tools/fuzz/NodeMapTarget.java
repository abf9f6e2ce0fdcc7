package io.dxnet.tools.fuzz;

import io.dxnet.NodeMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Node map files. */
final class NodeMapTarget implements FuzzTarget {
    private final TextFile file = new TextFile();

    @Override
    public String name() {
        return "node-map";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                "0=localhost:7000\n1=10.0.0.1:7001\n2=[::1]:65535\n".getBytes(StandardCharsets.UTF_8),
                "# comment\n65535 : host\\\n  .example:0\n! another\n".getBytes(StandardCharsets.UTF_8),
                "0=h\\u00e9:1".getBytes(StandardCharsets.US_ASCII),
                "0=h\\u00e".getBytes(StandardCharsets.US_ASCII),
                "0 = a:1\n 0=b:2\n00=c:3".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void run(byte[] input) throws IOException {
        NodeMap map;
        try {
            map = NodeMap.load(1, file.with(input));
        } catch (IllegalArgumentException e) {
            return; // as documented
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                return; // as documented
            }
            throw e;
        }
        Map<Integer, InetSocketAddress> nodes = map.nodes();
        nodes.forEach((id, address) -> {
            if (id < 0
                    || id > 65535
                    || !address.isUnresolved()
                    || address.getHostString().isEmpty()) {
                throw new AssertionError("node " + id + " at " + address);
            }
            String host = address.getHostString();
            NodeMap again = new NodeMap(1)
                    .put(id, (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort());
            if (!again.nodes().get(id).equals(address)) {
                throw new AssertionError(address + " became " + again.nodes().get(id));
            }
        });
    }
}
