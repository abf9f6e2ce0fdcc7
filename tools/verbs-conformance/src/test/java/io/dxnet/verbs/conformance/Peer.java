package io.dxnet.verbs.conformance;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WorkCompletion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The other process of {@link PeerTest}. It exchanges {@code ADDRESS qpn psn gid} over its standard
 * streams, prints {@code READY}, and receives all that is sent until a line comes.
 */
final class Peer {
    private static final int RECEIVES = 64;
    private static final int SIZE = 64;
    private static final int PSN = 77;

    private Peer() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = System.out;
        Rig rig = Rig.open();
        CompletionQueue queue = rig.queue(2 * RECEIVES);
        SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(RECEIVES, 1);
        QueuePair pair = rig.pair(
                QueuePair.options(QpType.RC, queue, queue).shared(shared).send(RECEIVES, 1));
        MemoryRegion memory = rig.memory(RECEIVES * SIZE);
        out.println(line(pair.addressFor(rig.gid, PSN)));
        pair.connect(rig.gid, PSN, parse(in.readLine()), Rig.quick());
        ReceiveChain receive = new ReceiveChain(1, 1);
        for (int i = 0; i < RECEIVES; i++) {
            shared.post(receive.clear().receive(i).sge(memory, (long) i * SIZE, SIZE));
        }
        out.println("READY");
        WorkCompletion batch = new WorkCompletion(16);
        while (!in.ready()) {
            int count = queue.poll(batch);
            for (int i = 0; i < count; i++) {
                shared.post(receive.clear().receive(batch.at(i).id()).sge(memory, batch.id() * SIZE, SIZE));
            }
        }
        // "exit without closing": the kernel frees everything.
        System.exit(0);
    }

    /** The command that starts another JVM on the device under test. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Ddxnet.verbs.device=" + Rig.deviceOfAnotherProcess(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    static String line(QpAddress address) {
        return "ADDRESS " + address.qpNumber() + " " + address.psn() + " " + address.lid() + " "
                + address.gid().toHex();
    }

    static QpAddress parse(String line) {
        String[] words = line.split(" ");
        return new QpAddress(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Gid.parseHex(words[4]));
    }
}
