package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.DeviceInfo;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;

/**
 * One end, connected with the other by a queue pair and a TCP connection over the same port's
 * network where it has an IPv4 address. One thread at a time.
 */
final class Session implements AutoCloseable {
    private static final Duration TCP_PATIENCE = Duration.ofSeconds(20);

    private final VerbsEnd verbs;
    private final VerbsData verbsData;
    private final TcpData tcpData;
    private final String peerInfo;

    private Session(VerbsEnd verbs, SocketChannel channel, EndOptions end, String peerInfo) throws IOException {
        this.verbs = verbs;
        this.verbsData = new VerbsData(verbs, end.pollingThreads());
        this.tcpData = new TcpData(channel, verbs.options, end.pollingThreads());
        this.peerInfo = peerInfo;
    }

    /** Connects the end that sends commands. */
    static Session client(Control control, EndOptions end, LinkOptions options) {
        control.setPatience(Duration.ofSeconds(options.patienceSeconds()));
        DataOutputStream out = control.out();
        DataInputStream in = control.in();
        VerbsEnd verbs = new VerbsEnd(end.port(), options);
        try {
            return Control.io(() -> {
                options.write(out);
                verbs.own().write(out);
                out.flush();
                if (!in.readBoolean()) {
                    throw new ToolException("the server reports: " + in.readUTF());
                }
                String peerInfo = in.readUTF();
                verbs.connect(VerbsEnd.Remote.read(in));
                byte[] address = new byte[in.readByte()];
                in.readFully(address);
                SocketAddress server = new InetSocketAddress(InetAddress.getByAddress(address), in.readInt());
                SocketChannel channel = connect(verbs.address(), server);
                control.await();
                return new Session(verbs, channel, end, peerInfo);
            });
        } catch (RuntimeException e) {
            verbs.close();
            throw e;
        }
    }

    /**
     * Sockets that are not bound leave the port's network out where both ends are on one machine.
     */
    private static SocketChannel connect(InetAddress own, SocketAddress server) throws IOException {
        if (own != null) {
            SocketChannel bound = SocketChannel.open();
            try {
                bound.bind(new InetSocketAddress(own, 0));
                bound.socket().connect(server, (int) TCP_PATIENCE.toMillis());
                return bound;
            } catch (IOException e) {
                bound.close();
            }
        }
        SocketChannel channel = SocketChannel.open();
        channel.socket().connect(server, (int) TCP_PATIENCE.toMillis());
        return channel;
    }

    /** The end that follows. */
    static Session server(Control control, EndOptions end) {
        DataOutputStream out = control.out();
        DataInputStream in = control.in();
        LinkOptions options = Control.io(() -> LinkOptions.read(in));
        control.setPatience(Duration.ofSeconds(options.patienceSeconds()));
        VerbsEnd verbs;
        try {
            verbs = new VerbsEnd(end.port(), options);
        } catch (RuntimeException e) {
            Control.io(() -> {
                out.writeBoolean(false);
                out.writeUTF(String.valueOf(e.getMessage()));
                out.flush();
                return null;
            });
            throw e;
        }
        try {
            return Control.io(() -> accept(control, verbs, end));
        } catch (RuntimeException e) {
            verbs.close();
            throw e;
        }
    }

    private static Session accept(Control control, VerbsEnd verbs, EndOptions end) throws IOException {
        DataOutputStream out = control.out();
        try (ServerSocketChannel listening = listen(verbs.address(), control.localAddress())) {
            verbs.connect(VerbsEnd.Remote.read(control.in()));
            out.writeBoolean(true);
            out.writeUTF(DeviceInfo.line(verbs.describe()));
            verbs.own().write(out);
            ServerSocket socket = listening.socket();
            byte[] address = socket.getInetAddress().getAddress();
            out.writeByte(address.length);
            out.write(address);
            out.writeInt(socket.getLocalPort());
            out.flush();
            socket.setSoTimeout((int) TCP_PATIENCE.toMillis());
            SocketChannel channel = socket.accept().getChannel();
            control.signal();
            return new Session(verbs, channel, end, null);
        }
    }

    private static ServerSocketChannel listen(InetAddress own, InetAddress otherwise) throws IOException {
        if (own != null) {
            ServerSocketChannel listening = ServerSocketChannel.open();
            try {
                return listening.bind(new InetSocketAddress(own, 0));
            } catch (IOException e) {
                listening.close();
            }
        }
        return ServerSocketChannel.open().bind(new InetSocketAddress(otherwise, 0));
    }

    DataEnd data(Transfer transfer) {
        return transfer == Transfer.TCP ? tcpData : verbsData;
    }

    Map<String, Object> describe() {
        return verbs.describe();
    }

    /** The port's own IPv4 address, or null. */
    InetAddress address() {
        return verbs.address();
    }

    int gidIndex() {
        return verbs.gid.index();
    }

    /** What the server's device is. */
    String peerInfo() {
        return peerInfo;
    }

    @Override
    public void close() {
        verbs.close();
        try {
            tcpData.close();
        } catch (IOException e) {
            return; // nothing more can be done about it
        }
    }
}
