package io.dxnet.transport;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A pooled native buffer for received data. The transport fills it from offset 0, sets its length and hands it over; after
 * that it belongs to the engine until its last message was handled, when it goes back to its pool by itself.
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

    /** Where a buffer goes when nobody uses it any more. */
    public interface Home {
        /**
         * Takes a buffer back. Any thread; never blocks.
         *
         * @param buffer that came from here
         */
        void giveBack(IncomingBuffer buffer);

        /**
         * Whether few buffers are left, so that an incomplete message must not keep one: its data is copied into the engine's pool.
         * Any thread; a snapshot.
         *
         * @return false where incomplete messages may keep buffers
         */
        default boolean isShort() {
            return false;
        }
    }

    private final Home home;
    private final MemorySegment segment;
    private final ByteBuffer byteBuffer;
    private Connection connection; // written by the engine before the buffer is published
    private int length; // written by the transport before the buffer is published
    private int fillMax; // written by the pool before the transport fills the buffer
    private volatile int references; // everybody who holds the buffer

    /**
     * A buffer over native memory: the engine's pool makes them, and transports whose receive memory is special.
     *
     * @param home where it goes back to
     * @param segment less than 2 GiB, alive as long as the engine's threads run
     */
    public IncomingBuffer(Home home, MemorySegment segment) {
        this.home = home;
        this.segment = segment;
        this.byteBuffer = segment.asByteBuffer();
        this.fillMax = capacity();
    }

    /**
     * Whether its home has few buffers left.
     *
     * @return see {@link Home#isShort}
     */
    public boolean isHomeShort() {
        return home.isShort();
    }

    /**
     * How much of it a transport may fill: less than the capacity where the pool gave it for the rest of one message.
     *
     * @return bytes from offset 0, at least 1
     */
    public int fillMax() {
        return fillMax;
    }

    void fillMax(int bytes) {
        this.fillMax = bytes;
    }

    /**
     * The memory.
     *
     * @return the whole of it
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * The memory as a buffer for channels: one object for the life of this buffer.
     *
     * @return position and limit are the caller's to set
     */
    public ByteBuffer byteBuffer() {
        return byteBuffer;
    }

    /**
     * The size of the memory.
     *
     * @return bytes
     */
    public int capacity() {
        return (int) segment.byteSize();
    }

    /**
     * How much of it is filled.
     *
     * @return bytes from offset 0
     */
    public int length() {
        return length;
    }

    /**
     * Says how much of it is filled: the transport, before it hands the buffer over.
     *
     * @param length bytes from offset 0
     */
    public void length(int length) {
        this.length = length;
    }

    /**
     * Gives an unused buffer back to its pool: the transport, instead of handing it over.
     */
    public void giveBack() {
        home.giveBack(this);
    }

    /**
     * Where the data came from: the engine's.
     *
     * @return the connection
     */
    public Connection connection() {
        return connection;
    }

    /**
     * Starts the engine's ownership, with one reference.
     *
     * @param from where the data came from
     */
    public void handOver(Connection from) {
        this.connection = from;
        REFERENCES.setRelease(this, 1);
    }

    /** Counts one more reader: the engine's. */
    public void retain() {
        REFERENCES.getAndAdd(this, 1);
    }

    /** Counts one reader less; the last one gives the buffer back: the engine's. */
    public void release() {
        if ((int) REFERENCES.getAndAdd(this, -1) == 1) {
            connection = null;
            home.giveBack(this);
        }
    }
}
