package consumer;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.MessageType;
import io.dxnet.NodeMap;
import io.dxnet.RequestType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Two nodes send records to each other; system properties configure them. */
public final class Main {
    record Hello(String text) {}

    record Ping(long number) {}

    record Pong(long number) {}

    private static final MessageType<Hello> HELLO = MessageType.of(1, Hello.class);
    private static final RequestType<Ping, Pong> PING = RequestType.of(2, Ping.class, Pong.class);

    private Main() {}

    /**
     * Runs.
     *
     * @param arguments what the second node's description has to contain
     * @throws Exception when a message did not arrive
     */
    public static void main(String[] arguments) throws Exception {
        String[] addresses = {address(), address()};
        CompletableFuture<String> received = new CompletableFuture<>();
        try (DXNet a = node(0, addresses, received);
                DXNet b = node(1, addresses, received)) {
            a.send(1, HELLO, new Hello("hello"));
            expect("hello", received.get(20, TimeUnit.SECONDS));
            expect(new Pong(42), a.call(1, PING, new Ping(41)));
            String how = b.describe();
            System.out.println(how);
            expect(true, how.contains(arguments[0]));
        }
        System.out.println("consumer: ok");
    }

    private static DXNet node(int id, String[] addresses, CompletableFuture<String> received) {
        NodeMap nodes = new NodeMap(id).put(0, addresses[0]).put(1, addresses[1]);
        return DXNet.builder(nodes)
                .config(DXNetConfig.builder().systemProperties().build())
                .on(HELLO, (hello, from) -> received.complete(hello.text()))
                .answer(PING, (ping, from) -> new Pong(ping.number() + 1))
                .start();
    }

    private static String address() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + free.getLocalPort();
        }
    }

    private static void expect(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(expected + " expected, but it is " + actual);
        }
    }
}
