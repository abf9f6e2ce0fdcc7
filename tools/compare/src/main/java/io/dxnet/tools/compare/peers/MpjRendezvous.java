package io.dxnet.tools.compare.peers;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the launcher of MPJ Express does for the ranks that it starts: collects the ports on which
 * each one listens, and sends all of them to each.
 */
final class MpjRendezvous implements Closeable {
    private static final int RANKS = 2;
    /** Bytes up to which a message is sent at once. */
    private static final int EAGER_BYTES = 128 << 10;

    private static final int PATIENCE_MS = 30_000;

    private final ServerSocket listening;

    /** Listens on a free port of the loopback address. */
    MpjRendezvous() throws IOException {
        listening = new ServerSocket(0, RANKS, InetAddress.getLoopbackAddress());
        listening.setSoTimeout(PATIENCE_MS);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** What a rank has to know at its start. */
    static String configuration(int port) {
        return "#Number of Processes;" + RANKS + ";#Protocol Switch Limit;" + EAGER_BYTES
                + ";#Server Name;127.0.0.1;#Server Port;" + port;
    }

    /** Serves both ranks, once. */
    void serve() throws IOException {
        List<Socket> ranks = new ArrayList<>();
        SortedMap<Integer, String> entries = new TreeMap<>();
        try {
            while (ranks.size() < RANKS) {
                Socket rank = listening.accept();
                ranks.add(rank);
                rank.setSoTimeout(PATIENCE_MS);
                DataInputStream in = new DataInputStream(rank.getInputStream());
                in.readUTF(); // a greeting
                int writePort = in.readInt();
                int readPort = in.readInt();
                int number = in.readInt();
                entries.put(number, "127.0.0.1@" + readPort + "@" + writePort + "@" + number);
            }
            String all = "#Peer Information;" + String.join(";", entries.values());
            for (Socket rank : ranks) {
                new DataOutputStream(rank.getOutputStream()).writeUTF(all);
            }
        } finally {
            for (Socket rank : ranks) {
                rank.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
