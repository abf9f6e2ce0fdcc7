package io.dxnet.tools.compare.peers;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** The receiving thread of a peer whose library has none for it: works until it is closed. */
final class ServerThread implements Closeable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** A piece of the work; returns within a second, also when there is nothing to do. */
    interface Work {
        void run() throws Exception;
    }

    private final Thread thread;
    private volatile boolean stopped;

    private ServerThread(Work work) {
        thread = Thread.ofPlatform().name("server").daemon().unstarted(() -> {
            try {
                while (!stopped) {
                    work.run();
                }
            } catch (Exception e) {
                e.printStackTrace(); // the parent sees it when nothing moves any more
            }
        });
    }

    static ServerThread start(Work work) {
        ServerThread started = new ServerThread(work);
        started.thread.start();
        return started;
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        if (!Patience.on(() -> thread.join(PATIENCE))) {
            throw new IOException("the server's thread does not end");
        }
    }
}
