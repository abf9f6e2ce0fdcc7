package io.dxnet.contract;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.MessageTypeOption;
import io.dxnet.NodeMap;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node in a process of its own: {@link ChildProcess} starts it, sends it what to
 * do, line by line, and reads a line of answer to each. It ends with its standard
 * input, so it can't outlive the test.
 */
final class ChildNode {
    /** A request that is never answered. */
    static final String SILENT = "silent";

    private static final AtomicInteger SILENTS = new AtomicInteger();

    private final DXNet net;
    private final Receiver receiver;

    private ChildNode(DXNet net) {
        this.net = net;
        this.receiver = Receiver.on(net);
    }

    /**
     * Arguments: the own id, all addresses, separated by commas, and configuration as key=value.
     */
    public static void main(String[] args) throws Exception {
        NodeMap map = Ports.map(Integer.parseInt(args[0]), java.util.List.of(args[1].split(",")));
        DXNetConfig.Builder config = DXNetConfig.builder();
        for (int i = 2; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            config.set(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        DXNet net = new DXNet(config.build(), map);
        net.registerMessageType(
                TestMessages.TYPE, TestMessages.DATA, TestMessages.Data::new, MessageTypeOption.EXCLUSIVE);
        net.registerMessageType(TestMessages.TYPE, TestMessages.PING, TestMessages.Ping::new);
        net.registerMessageType(TestMessages.TYPE, TestMessages.PONG, TestMessages.Pong::new);
        net.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            if (ping.text.equals(SILENT)) {
                SILENTS.incrementAndGet();
            } else {
                net.sendMessage(new Pong(ping));
            }
        });
        new ChildNode(net).run();
        Runtime.getRuntime().halt(0);
    }

    private void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = execute(line.split(" "));
            } catch (Exception e) {
                answer = "failed: " + e;
            }
            System.out.println(answer);
        }
    }

    private String execute(String[] words) throws Exception {
        switch (words[0]) {
            case "stream" -> { // to, thread, bytes: without end
                int to = Integer.parseInt(words[1]);
                int thread = Integer.parseInt(words[2]);
                int bytes = Integer.parseInt(words[3]);
                Thread.ofPlatform().daemon().start(() -> stream(to, thread, bytes));
                return "ok";
            }
            case "slow" -> { // microseconds for each message
                long ns = Long.parseLong(words[1]) * 1000;
                receiver.delay(() -> Thread.sleep(Duration.ofNanos(ns)));
                return "ok";
            }
            case "count" -> { // source, thread
                return receiver.wrong() != null
                        ? "wrong: " + receiver.wrong()
                        : "" + receiver.count(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            }
            case "ping" -> { // to, bytes
                Pong pong = net.sendSync(
                        new Ping(Integer.parseInt(words[1]), "child", Integer.parseInt(words[2])),
                        Duration.ofSeconds(30));
                return "" + pong.payload.length;
            }
            case "share" -> { // bytes
                net.remoteMemory()
                        .share(
                                "region",
                                net.remoteMemory().allocate(Arena.global(), Long.parseLong(words[1])),
                                EnumSet.allOf(Right.class),
                                Peers.all());
                return "ok";
            }
            case "silent" -> {
                return "" + SILENTS.get();
            }
            case "buffers" -> {
                return "" + net.statistics().buffersInUse();
            }
            default -> {
                return "unknown command";
            }
        }
    }

    private void stream(int to, int thread, int bytes) {
        try {
            for (int i = 0; ; i++) {
                net.sendMessage(new Data(to, thread, i, bytes));
            }
        } catch (DXNetException | RuntimeException e) {
            System.err.println("the stream to node " + to + " ended: " + e);
        }
    }
}
