package io.dxnet.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Runs an {@link SSLEngine} over a byte channel, which never waits where the channel does not: the
 * bytes of a stream become records as large as TLS allows, and an end without close_notify is an
 * error.
 *
 * <p>One thread at a time reads, or performs the handshake; one thread at a time writes, which may
 * be another one. Its buffers start with the size of one record and grow to that of
 * {@value #RECORDS_MAX}. After an error nothing works any more; the owner closes the channel.
 *
 * <p>It has more than 400 lines: both directions share one engine and its state.
 */
public final class TlsChannel {
    /** What the handshake needs to proceed. */
    public enum Step {
        /** Nothing: both nodes have proved that they own their certificates. */
        DONE,
        /** Bytes from the channel. */
        READ,
        /** Room in the channel. */
        WRITE
    }

    /** Records that are read or written at once. */
    static final int RECORDS_MAX = 8;
    /** The most bytes that a node sends before its handshake is done: a few certificates. */
    static final int HANDSHAKE_BYTES_MAX = 64 << 10;
    /** So many records in a row without content are an attack. */
    static final int EMPTY_RECORDS_MAX = 256;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteChannel net;
    private final SSLEngine engine;
    private final int recordBytes;
    private final ReentrantLock writing = new ReentrantLock();
    // Under the lock: records between position and limit are to be written.
    private ByteBuffer out;
    // Of the reading thread: records between position and limit are to be decrypted.
    private ByteBuffer in;
    private ByteBuffer plain; // decrypted bytes that had no room in the target, from position to limit
    private int handshakeBytes;
    private int emptyRecords;
    private boolean begun;
    private boolean secure; // the handshake is done
    private boolean drained = true; // the channel had less than there was room for
    private boolean ended; // the other node's close_notify came
    private @Nullable IOException failure; // of reading, once what came before it is passed on
    private volatile boolean unwritten; // under the lock: out holds records

    /**
     * A channel whose handshake has not begun.
     *
     * @param net the bytes of the records; not closed by this class
     * @param engine for this channel alone
     */
    public TlsChannel(ByteChannel net, SSLEngine engine) {
        this.net = net;
        this.engine = engine;
        this.recordBytes = engine.getSession().getPacketBufferSize();
        this.out = ByteBuffer.allocate(recordBytes).limit(0);
        this.in = ByteBuffer.allocate(recordBytes).limit(0);
        this.plain = NOTHING;
    }

    // ---------------------------------------------------------------- handshake

    /**
     * Proceeds with the handshake as far as the channel allows.
     *
     * @return what is needed for more
     * @throws IOException when the other node is not trusted, does not speak TLS 1.3, sent too
     *     much, or the channel failed; an alert was sent where there was room for it
     */
    public Step handshake() throws IOException {
        try {
            if (!begun) {
                begun = true;
                engine.beginHandshake();
            }
            Step step = proceed();
            secure = step == Step.DONE;
            return step;
        } catch (SSLException e) {
            sendAlert();
            throw e;
        }
    }

    private Step proceed() throws IOException {
        while (flush()) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (answer() == SSLEngineResult.Status.CLOSED) {
                        throw new IOException("the TLS handshake ended before it was done");
                    }
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrapHandshake()) {
                        return Step.READ;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return Step.DONE;
                }
            }
        }
        return Step.WRITE;
    }

    /** Returns whether a record was there. */
    private boolean unwrapHandshake() throws IOException {
        switch (engine.unwrap(in, NOTHING).getStatus()) {
            case OK -> {
                return true;
            }
            case BUFFER_UNDERFLOW -> {
                // more bytes are needed
            }
            case BUFFER_OVERFLOW -> throw new IOException("it sent content before the TLS handshake was done");
            case CLOSED -> throw new IOException("the other node ended the TLS handshake");
        }
        int bytes = fill();
        handshakeBytes += Math.max(bytes, 0);
        if (handshakeBytes > HANDSHAKE_BYTES_MAX) {
            throw new IOException("it sent more than " + HANDSHAKE_BYTES_MAX + " bytes in the TLS handshake");
        }
        if (bytes < 0) {
            throw new IOException("it hung up in the TLS handshake");
        }
        return bytes > 0;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Sends the reason of a failure, if the channel accepts it. */
    private void sendAlert() {
        try {
            if (flush()) {
                answer();
            }
        } catch (IOException e) {
            // the failure that is reported is the first one
        }
    }

    /**
     * Returns what was negotiated. After the handshake.
     *
     * @return it has the other node's certificates
     */
    public SSLSession session() {
        return engine.getSession();
    }

    // ---------------------------------------------------------------- reading

    /**
     * Reads decrypted bytes. The reading thread, after the handshake.
     *
     * @param target has room
     * @return bytes; 0: the channel has no more at present; -1: the other node ended the stream
     *     in order
     * @throws IOException when the channel was cut without close_notify, a record is not authentic,
     *     or the channel failed; all that came before was returned
     */
    public int read(ByteBuffer target) throws IOException {
        int begin = target.position();
        move(target);
        try {
            boolean filled = false; // in this call
            while (target.hasRemaining() && !ended && failure == null) {
                if (!unwrap(target)) {
                    if (drained && (filled || target.position() > begin)) {
                        break; // a channel that may wait is not asked for more than there has to be
                    }
                    int room = in.capacity() - in.remaining();
                    int bytes = fill();
                    if (bytes < 0) {
                        throw new IOException("the channel was cut: it ended without the end of TLS (close_notify)");
                    }
                    filled = true;
                    drained = bytes < room;
                }
            }
        } catch (IOException e) {
            failure = e;
            sendAlert();
        }
        int bytes = target.position() - begin;
        if (bytes > 0) {
            return bytes;
        }
        if (failure != null) {
            throw failure;
        }
        return ended ? -1 : 0;
    }

    /**
     * Returns whether a read will return something whether or not the channel has bytes: then
     * a selector does not report it. The reading thread.
     *
     * @return true: decrypted bytes, a whole record, an end or a failure
     */
    public boolean hasBuffered() {
        return plain.hasRemaining() || ended || failure != null || hasRecord();
    }

    /** Whether a whole record is there: its header has its length. */
    private boolean hasRecord() {
        int at = in.position();
        return in.remaining() >= 5 && in.remaining() >= 5 + (in.getShort(at + 3) & 0xFFFF);
    }

    private void move(ByteBuffer target) {
        int bytes = Math.min(plain.remaining(), target.remaining());
        if (bytes > 0) {
            target.put(target.position(), plain, plain.position(), bytes);
            target.position(target.position() + bytes);
            plain.position(plain.position() + bytes);
        }
    }

    /**
     * Decrypts one record that is longer than the target. One that is not authentic leaves
     * nothing behind.
     */
    private SSLEngineResult unwrapAside() throws IOException {
        plain = plain.capacity() == 0 ? ByteBuffer.allocate(recordBytes) : plain.clear();
        boolean isAuthentic = false;
        try {
            SSLEngineResult result = engine.unwrap(in, plain);
            isAuthentic = true;
            return result;
        } finally {
            plain.flip();
            if (!isAuthentic) {
                plain.position(plain.limit());
            }
        }
    }

    /** Decrypts one record; false: none is whole. */
    private boolean unwrap(ByteBuffer target) throws IOException {
        SSLEngineResult result = engine.unwrap(in, target);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            result = unwrapAside();
            move(target);
        }
        switch (result.getStatus()) {
            case OK -> {
                if (result.bytesProduced() > 0) {
                    emptyRecords = 0;
                } else if (++emptyRecords > EMPTY_RECORDS_MAX) {
                    throw new IOException("it sent " + emptyRecords + " records without content");
                }
                switch (result.getHandshakeStatus()) {
                    case NEED_TASK -> runTasks();
                    case NEED_WRAP -> answerNow(); // the other node has changed its key, and asks for the same
                    default -> {
                        // nothing to do
                    }
                }
                return true;
            }
            case BUFFER_UNDERFLOW -> {
                return false;
            }
            case CLOSED -> {
                ended = true;
                return true;
            }
            case BUFFER_OVERFLOW -> throw new IOException("a record is larger than TLS allows");
        }
        throw new AssertionError(result);
    }

    /** Reads from the channel what there is room for, which is never nothing. */
    private int fill() throws IOException {
        if (in.remaining() == in.capacity()) {
            throw new IOException("a record is larger than TLS allows");
        }
        in.compact();
        int bytes;
        try {
            bytes = net.read(in);
        } finally {
            in.flip();
        }
        // A handshake stays within one record's size, and so does a trickle.
        if (secure && in.remaining() == in.capacity() && in.capacity() == recordBytes) {
            in = ByteBuffer.allocate(RECORDS_MAX * recordBytes).put(in).flip();
        }
        return bytes;
    }

    // ---------------------------------------------------------------- writing

    /**
     * Encrypts bytes and writes them, as many as the channel accepts and one buffer more. The
     * writing thread, after the handshake.
     *
     * @param source bytes of the stream
     * @return how many were accepted; 0: the channel is full. Those that are accepted and not
     *     written yet are written by {@link #flush}, for which the caller waits for the channel
     *     where {@link #isFlushed} is false
     * @throws IOException when the channel failed or was ended
     */
    public int write(ByteBuffer source) throws IOException {
        int begin = source.position();
        writing.lock();
        try {
            while (writeOut() && source.hasRemaining()) {
                if (source.remaining() > recordBytes && out.capacity() == recordBytes) {
                    out = ByteBuffer.allocate(RECORDS_MAX * recordBytes);
                }
                out.clear();
                try {
                    do {
                        wrap(source);
                    } while (source.hasRemaining() && out.remaining() >= recordBytes);
                } finally {
                    out.flip();
                }
            }
        } finally {
            unwritten = out.hasRemaining();
            writing.unlock();
        }
        return source.position() - begin;
    }

    /**
     * Writes what was accepted. Any thread.
     *
     * @return whether nothing is left
     * @throws IOException when the channel failed
     */
    public boolean flush() throws IOException {
        if (!unwritten) {
            return true;
        }
        writing.lock();
        try {
            return writeOut();
        } finally {
            unwritten = out.hasRemaining();
            writing.unlock();
        }
    }

    /**
     * Returns whether all that was accepted is written. Any thread.
     *
     * @return false: {@link #flush} is needed
     */
    public boolean isFlushed() {
        return !unwritten;
    }

    /**
     * Ends the stream of this node with close_notify; the other node's continues. The writing
     * thread.
     *
     * @return whether it is written; false: call it again when the channel has room
     * @throws IOException when the channel failed
     */
    public boolean endOutput() throws IOException {
        writing.lock();
        try {
            engine.closeOutbound();
            while (writeOut()) {
                if (engine.isOutboundDone()) {
                    return true;
                }
                SSLEngineResult.Status status = wrapOwn();
                if (!out.hasRemaining()) {
                    if (status == SSLEngineResult.Status.CLOSED) {
                        return true; // it was ended before
                    }
                    throw new IOException("the end of TLS (close_notify) can't be sent");
                }
            }
            return false;
        } finally {
            unwritten = out.hasRemaining();
            writing.unlock();
        }
    }

    /**
     * Wraps what the engine itself has to send, unless another record has it already.
     *
     * @return CLOSED: the engine will never send anything else
     */
    private SSLEngineResult.Status answer() throws IOException {
        SSLEngineResult.Status status = SSLEngineResult.Status.OK;
        writing.lock();
        try {
            if (writeOut() && engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                status = wrapOwn();
                if (!out.hasRemaining() && engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                    throw new IOException("TLS has a record to send, and makes none");
                }
                writeOut();
            }
        } finally {
            unwritten = out.hasRemaining();
            writing.unlock();
        }
        return status;
    }

    /** Under the lock, all written: makes a record without content. */
    private SSLEngineResult.Status wrapOwn() throws IOException {
        out.clear();
        try {
            SSLEngineResult.Status status = engine.wrap(NOTHING, out).getStatus();
            return switch (status) {
                case OK, CLOSED -> status; // CLOSED: the last record, an alert
                case BUFFER_OVERFLOW, BUFFER_UNDERFLOW ->
                    throw new IOException("a record of TLS can't be made: " + status);
            };
        } finally {
            out.flip();
        }
    }

    /** The same between data: where the channel is full, the next record of data has it. */
    private void answerNow() {
        try {
            answer();
        } catch (IOException e) {
            // the writing thread will notice it; what has arrived can still be read
        }
    }

    private void wrap(ByteBuffer source) throws IOException {
        SSLEngineResult result = engine.wrap(source, out);
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new IOException("nothing can be sent any more: " + result.getStatus());
        }
        if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
            if (result.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.NEED_TASK) {
                throw new IOException("TLS accepts no content: " + result.getHandshakeStatus());
            }
            runTasks(); // or the reading thread is running them
            Thread.onSpinWait();
        }
    }

    /** Under the lock; returns whether nothing is left. */
    private boolean writeOut() throws IOException {
        while (out.hasRemaining()) {
            if (net.write(out) == 0) {
                return false;
            }
        }
        return true;
    }
}
