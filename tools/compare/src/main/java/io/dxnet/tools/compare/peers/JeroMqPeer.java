package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.dxnet.tools.compare.harness.Tap;
import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** JeroMQ: PUSH to PULL one way, REQ to REP for round trips. */
final class JeroMqPeer implements Peer {
    private static final int PATIENCE_MS = 10_000;
    private static final int LOOK_AGAIN_MS = 100;
    private static final int CONNECT_MS = 500;

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                "jeromq",
                "JeroMQ",
                Versions.of("jeromq"),
                "TCP",
                true,
                "default context (one I/O thread) and high-water marks (1000 messages); a PUSH socket for each thread, because sockets "
                        + "must not be shared, to one PULL socket; round trips: REQ and REP, blocking; a message array of its own for each send",
                "https://zguide.zeromq.org/docs/chapter2/",
                "objects, types and callbacks, one call for request/response with a timeout, flow control up to the receiver's processing",
                "publish/subscribe, routers and brokers, peers in many languages, encryption");
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        ZContext context = new ZContext();
        boolean oneWay = workload.mode() == Workload.Mode.ONE_WAY;
        ZMQ.Socket socket = socket(context, oneWay ? SocketType.PULL : SocketType.REP);
        socket.setReceiveTimeOut(LOOK_AGAIN_MS);
        socket.bind("tcp://127.0.0.1:*");
        String address = socket.getLastEndpoint();
        ServerThread thread = ServerThread.start(
                oneWay
                        ? count(socket, inbox.tap())
                        : () -> {
                            byte[] message = socket.recv();
                            if (message != null) {
                                send(socket, message);
                            }
                        });
        return new Server(context, thread, address);
    }

    private static ServerThread.Work count(ZMQ.Socket socket, Tap tap) {
        return () -> {
            byte[] message = socket.recv();
            if (message != null) {
                if (tap.wants(message.length)) {
                    System.arraycopy(message, 0, tap.copy(), 0, message.length);
                }
                tap.received(message.length);
            }
        };
    }

    @Override
    public PeerClient connect(Workload workload, String address) {
        return new Client(new ZContext(), address);
    }

    private static ZMQ.Socket socket(ZContext context, SocketType type) {
        ZMQ.Socket socket = context.createSocket(type);
        socket.setSendTimeOut(LOOK_AGAIN_MS);
        socket.setLinger(PATIENCE_MS);
        return socket;
    }

    /** A message of a round trip, for which there is always room. */
    private static void send(ZMQ.Socket socket, byte[] message) throws IOException {
        if (!socket.send(message)) {
            throw new IOException("not sent within " + LOOK_AGAIN_MS + " ms, error " + socket.errno());
        }
    }

    private record Server(ZContext context, ServerThread thread, String address) implements PeerServer {
        @Override
        public void close() throws IOException {
            thread.close();
            context.close();
        }
    }

    private record Client(ZContext context, String address) implements PeerClient {
        @Override
        public Sender sender(int thread) {
            ZMQ.Socket socket = socket(context, SocketType.PUSH);
            socket.connect(address);
            return payload -> socket.send(payload.clone());
        }

        @Override
        public void pingPong(PingPong loop) throws Exception {
            ZMQ.Socket socket = connected();
            socket.setReceiveTimeOut(PATIENCE_MS);
            while (loop.next()) {
                send(socket, loop.payload().clone());
                byte[] answer = socket.recv();
                if (answer == null) {
                    throw new IOException("no answer in " + PATIENCE_MS + " ms");
                }
                if (loop.wants(answer.length)) {
                    System.arraycopy(answer, 0, loop.copy(), 0, answer.length);
                }
                loop.answered(answer.length);
            }
        }

        /**
         * Returns a socket that has had an answer. In one of 40 connections JeroMQ 0.6.0 never
         * delivers the first request to the REP socket, also in a program with nothing but JeroMQ;
         * another connection to the same socket works.
         */
        private ZMQ.Socket connected() throws IOException {
            for (int ms = 0; ms < PATIENCE_MS; ms += CONNECT_MS) {
                ZMQ.Socket socket = socket(context, SocketType.REQ);
                socket.setReceiveTimeOut(CONNECT_MS);
                socket.connect(address);
                send(socket, new byte[1]);
                if (socket.recv() != null) {
                    return socket;
                }
                socket.setLinger(0);
                socket.close();
            }
            throw new IOException("no answer in " + PATIENCE_MS + " ms");
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
