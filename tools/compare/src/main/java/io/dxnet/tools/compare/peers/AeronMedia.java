package io.dxnet.tools.compare.peers;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * An Aeron client, with or without a media driver in the
 * same process. The cores decide about threads.
 */
final class AeronMedia implements AutoCloseable {
    /**
     * Each of the two processes needs three driver threads and
     * one of the application for Aeron's fastest mode.
     */
    private static final int CORES_FOR_DEDICATED = 8;

    private static final int MTU = 8192;
    /** Holds two windows, and four publications in a small /dev/shm. */
    private static final int TERM_LENGTH = 4 << 20;

    private static final int SOCKET_BUFFER = 2 << 20;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final MediaDriver driver;
    private final Aeron aeron;

    private AeronMedia(MediaDriver driver, String directory) {
        this.driver = driver;
        this.aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
    }

    /**
     * Starts a media driver and connects to it.
     *
     * @param movesData whether messages pass through the driver, as
     *     over UDP, or it only watches the windows, as over IPC
     * @param streams that one socket receives
     */
    static AeronMedia withDriver(boolean movesData, int streams) throws IOException {
        int buffer = socketBuffer();
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(CommonContext.generateRandomDirName())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .termBufferSparseFile(false)
                .mtuLength(MTU)
                .ipcMtuLength(MTU)
                .publicationTermBufferLength(TERM_LENGTH)
                .ipcTermBufferLength(TERM_LENGTH)
                .socketSndbufLength(buffer)
                .socketRcvbufLength(buffer)
                .initialWindowLength(buffer / streams)
                .threadingMode(dedicated() ? ThreadingMode.DEDICATED : ThreadingMode.SHARED);
        if (dedicated()) {
            context.senderIdleStrategy(NoOpIdleStrategy.INSTANCE).receiverIdleStrategy(NoOpIdleStrategy.INSTANCE);
        } else {
            context.sharedIdleStrategy(movesData ? idleStrategy() : new BackoffIdleStrategy());
        }
        MediaDriver driver = MediaDriver.launchEmbedded(context);
        return new AeronMedia(driver, driver.aeronDirectoryName());
    }

    static AeronMedia ofDriver(String directory) {
        return new AeronMedia(null, directory);
    }

    private static boolean dedicated() {
        return Runtime.getRuntime().availableProcessors() >= CORES_FOR_DEDICATED;
    }

    static String describe() {
        return "ThreadingMode.DEDICATED and spinning threads from " + CORES_FOR_DEDICATED
                + " cores on, else ThreadingMode.SHARED and threads that spin, then yield; MTU " + MTU
                + ", socket buffers of 2 MiB where the system allows it, which the initial windows of all streams share"
                + ", terms of 4 MiB";
    }

    /**
     * For threads that move data. Parking would cost a timer for
     * each hop; spinning needs a core for each thread.
     */
    static IdleStrategy idleStrategy() {
        return dedicated() ? NoOpIdleStrategy.INSTANCE : new YieldingIdleStrategy();
    }

    /**
     * The size of a socket's buffer, which the system limits. The initial windows of all streams
     * must fit in it: where a stream's whole window is lost, and ends in the padding of a term, the
     * sender's heartbeats lie behind the window, the receiver drops them, and Aeron 1.51.0 never
     * repairs the stream.
     */
    private static int socketBuffer() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            return Math.min(SOCKET_BUFFER, channel.getOption(StandardSocketOptions.SO_RCVBUF));
        }
    }

    String directory() {
        return aeron.context().aeronDirectoryName();
    }

    Subscription subscribe(String channel, int stream) {
        return aeron.addSubscription(channel, stream);
    }

    Publication publish(String channel, int stream) {
        return aeron.addPublication(channel, stream);
    }

    ExclusivePublication publishExclusive(String channel, int stream) {
        return aeron.addExclusivePublication(channel, stream);
    }

    /** Waits for the other side. */
    static void await(BooleanSupplier condition, String otherwise) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(otherwise);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(aeron, driver);
    }
}
