package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * The out-of-band channel of the two ends: a TCP connection on which the client sends commands and
 * the server answers. Used by one thread at each end.
 */
final class Control implements AutoCloseable {
    /** What the client asks for. */
    enum Command {
        /**
         * A run, in three steps: the server is ready, the client has ended, the server has ended.
         */
        RUN,
        /** The server of a perftest program. */
        PERFTEST,
        /** The end. */
        CLOSE
    }

    private static final long MAGIC = 0x4458_4e45_5456_4231L;
    private static final Command[] COMMANDS = Command.values();
    private static final int RETRY_MS = 100;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private Control(Socket socket, Duration patience) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) patience.toMillis());
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeLong(MAGIC);
        out.flush();
        long magic;
        try {
            magic = in.readLong();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        if (magic != MAGIC) {
            socket.close();
            throw new IOException(
                    "the other end of " + socket.getRemoteSocketAddress() + " is no verbs-bench of this version");
        }
    }

    /**
     * Connects to a server that may not be there yet.
     *
     * @param server its address
     * @param wait how long to try
     * @param patience the longest wait for any later answer
     */
    static Control connect(InetSocketAddress server, Duration wait, Duration patience) {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            Socket socket = new Socket();
            try {
                socket.connect(server, (int) Math.max(1000, wait.toMillis()));
                return new Control(socket, patience);
            } catch (IOException e) {
                closeQuietly(socket);
                if (System.nanoTime() > deadline) {
                    throw new ToolException(
                            "no server at " + server + " in " + wait.toSeconds() + " s: " + e.getMessage(), e);
                }
                pause();
            }
        }
    }

    /** Waits for the client. */
    static Control accept(ServerSocket listening, Duration wait, Duration patience) {
        try {
            listening.setSoTimeout((int) wait.toMillis());
            return new Control(listening.accept(), patience);
        } catch (SocketTimeoutException e) {
            throw new ToolException("no client came in " + wait.toSeconds() + " s", e);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while connecting", e);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            return; // it is not used any more
        }
    }

    /** Something that is written or read. */
    interface Part<T> {
        T io() throws IOException;
    }

    /** Reads, with the failures of a lost peer turned into words. */
    static <T> T io(Part<T> part) {
        try {
            return part.io();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private static ToolException lost(IOException e) {
        return new ToolException(
                e instanceof SocketTimeoutException
                        ? "the other end does not answer"
                        : "the other end is gone (" + e + "); its own output has the reason",
                e);
    }

    /** Sets the longest wait for any later answer. */
    void setPatience(Duration patience) {
        io(() -> {
            socket.setSoTimeout((int) patience.toMillis());
            return null;
        });
    }

    DataInputStream in() {
        return in;
    }

    DataOutputStream out() {
        return out;
    }

    void send(Command command) {
        io(() -> {
            out.writeByte(command.ordinal());
            return null;
        });
    }

    Command command() {
        return io(() -> COMMANDS[in.readByte()]);
    }

    /** Ends the other end's {@link #await}. */
    void signal() {
        io(() -> {
            out.writeByte(1);
            out.flush();
            return null;
        });
    }

    /** Waits for {@link #signal}. */
    void await() {
        io(in::readByte);
    }

    void flush() {
        io(() -> {
            out.flush();
            return null;
        });
    }

    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    InetAddress remoteAddress() {
        return socket.getInetAddress();
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }
}
