package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.Peer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How to start a process of a peer: the same Java, heap and class path for all, and
 * the flags that the peer needs.
 */
final class JavaCommand {
    private JavaCommand() {}

    static List<String> of(Peer peer) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("-X")) {
                command.add(flag);
            }
        }
        command.addAll(peer.javaFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(Main.PEER_PROCESS, peer.info().name()));
        return command;
    }
}
