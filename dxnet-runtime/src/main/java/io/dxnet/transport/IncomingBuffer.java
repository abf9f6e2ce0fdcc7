package io.dxnet.transport;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A pooled native buffer for received data. The transport fills it from offset 0,
 * sets its length and hands it over. After that it belongs to the engine until its last
 * message was handled, which returns it to its pool.
 */
public final class IncomingBuffer {
    private static final VarHandle REFERENCES;

    static {
        try {
            REFERENCES = MethodHandles.lookup().findVarHandle(IncomingBuffer.class, "references", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where a buffer returns to when it is not used any more. */
    public interface Home {
        /**
         * Accepts a buffer that is returned. Any thread; never blocks.
         *
         * @param buffer that came from here
         */
        void giveBack(IncomingBuffer buffer);

        /**
         * {@return whether few buffers are left, so that an incomplete message must not keep one:
         * its data is copied into the engine's pool} Any thread; a snapshot.
         */
        default boolean isShort() {
            return false;
        }
    }

    private final Home home;
    private final MemorySegment segment;
    private final ByteBuffer byteBuffer;

    @SuppressWarnings("NullAway.Init") // by handOver()
    private Connection connection; // written by the engine before the buffer is published

    @Nullable
    IncomingBuffer nextFree; // the pool's, while the buffer is in it

    private int length; // written by the transport before the buffer is published
    private int fillMax; // written by the pool before the transport fills the buffer
    private volatile int references; // all holders of the buffer

    /**
     * A buffer over native memory. The engine's pool makes them, and so do transports
     * whose receive memory is special.
     *
     * @param home where it returns to
     * @param segment less than 2 GiB, alive as long as the engine's threads run
     */
    public IncomingBuffer(Home home, MemorySegment segment) {
        this.home = home;
        this.segment = segment;
        this.byteBuffer = segment.asByteBuffer();
        this.fillMax = capacity();
    }

    /** {@return whether its home has few buffers left: see {@link Home#isShort}} */
    public boolean isHomeShort() {
        return home.isShort();
    }

    /**
     * {@return how much of it a transport may fill: bytes from offset 0, at least 1} Less than
     * the capacity where the pool granted it for the rest of one message.
     */
    public int fillMax() {
        return fillMax;
    }

    void fillMax(int bytes) {
        this.fillMax = bytes;
    }

    /** {@return the memory, the whole of it} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * {@return the memory as a buffer for channels: one object for the life of this
     * buffer} Position and limit are the caller's to set.
     */
    public ByteBuffer byteBuffer() {
        return byteBuffer;
    }

    /** {@return the size of the memory, bytes} */
    public int capacity() {
        return (int) segment.byteSize();
    }

    /** {@return how much of it is filled: bytes from offset 0} */
    public int length() {
        return length;
    }

    /**
     * Sets how much of it is filled. For the transport, before it hands the buffer over.
     *
     * @param length bytes from offset 0
     */
    public void length(int length) {
        this.length = length;
    }

    /** Returns an unused buffer to its pool. For the transport, instead of handing it over. */
    public void giveBack() {
        home.giveBack(this);
    }

    /** {@return the connection that the data came from} For the engine. */
    public Connection connection() {
        return connection;
    }

    /**
     * Starts the engine's ownership, with one reference.
     *
     * @param from the connection that the data came from
     */
    public void handOver(Connection from) {
        this.connection = from;
        REFERENCES.setRelease(this, 1);
    }

    /** Counts one more reader. For the engine. */
    public void retain() {
        REFERENCES.getAndAdd(this, 1);
    }

    /** Counts one reader less; the last one returns the buffer to its pool. For the engine. */
    @SuppressWarnings("NullAway") // nothing reads it after the last release
    public void release() {
        if ((int) REFERENCES.getAndAdd(this, -1) == 1) {
            connection = null;
            home.giveBack(this);
        }
    }
}
