package io.dxnet.transport.ib;

import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The TCP channel of a connection's handshake afterwards: verbs never report to an idle or only
 * receiving side that its peer died. TCP reports the end of a process at once, and silence shows
 * that of a machine or a link. Bytes on it are single words.
 *
 * <p>The control channels' thread only.
 */
final class ControlChannel {
    /** The queue pair of the side that opened is ready to receive: the first word there. */
    static final byte READY = 1;
    /** Still there. */
    static final byte ALIVE = 2;
    /**
     * Everything is sent and received: the last word in an orderly end, followed by the channel's.
     */
    static final byte BYE = 3;
    /** Is this connection open on your side? To be answered at once. */
    static final byte PROBE = 4;
    /**
     * It is: the answer to one {@link #PROBE}, in their order. Not given for a connection that is
     * closed or has failed.
     */
    static final byte OPEN = 5;

    /** Questions without an answer; more wait. */
    private static final int PROBES_MAX = 64;
    /** Of one turn: more words than a few thousand are an attack. */
    private static final int READS_MAX = 64;

    private final ByteStream channel;
    private final int keepAliveMs;
    private SelectionKey key;
    private final long beganNs = System.nanoTime();
    private long heardNs;
    private long saidNs;
    private int messages; // that came through the queue pair, at the last tick
    private final AtomicInteger asked = new AtomicInteger(); // numbers of questions: any thread
    private int said; // of these
    private volatile int answered; // of these; the control channels' thread
    private int questions; // of the other side, not answered
    private volatile boolean bye; // heard; the control channels' thread
    private boolean byeSaid;
    private boolean outputEnded;
    private boolean ended;
    private long endedNs; // where the other side ended it

    /**
     * For a channel in non-blocking mode.
     *
     * @param keepAliveMs how long the other node bears silence
     */
    ControlChannel(ByteStream channel, int keepAliveMs) {
        this.channel = channel;
        this.keepAliveMs = keepAliveMs;
        this.heardNs = beganNs;
        this.saidNs = beganNs;
    }

    /** Registers the channel; further calls do nothing. */
    void register(Selector selector, Object attachment) throws ClosedChannelException {
        if (key == null) {
            key = channel.socket().register(selector, SelectionKey.OP_READ, attachment);
        }
    }

    /** Whether there is something to read that the selector does not report. */
    boolean hasBuffered() {
        return channel.hasBuffered();
    }

    /**
     * Reads what is there, also what the selector does not report: a few times at most, because the
     * words of a node are few.
     *
     * @return whether the other side reports that it is ready
     * @throws IOException when it sent what no node sends
     */
    boolean readAll(ByteBuffer scratch, long nowNs) throws IOException {
        boolean ready = read(scratch, nowNs);
        for (int i = 0; channel.hasBuffered() && !ended; i++) {
            if (i == READS_MAX) {
                throw new IOException("it sent more words than any node sends");
            }
            try {
                ready |= read(scratch, nowNs);
            } catch (IOException e) {
                if (!ready) {
                    throw e;
                }
                break; // what came before first; the next read fails again
            }
        }
        return ready;
    }

    /**
     * Reads what is there.
     *
     * @return whether the other side reports that it is ready
     * @throws IOException when it sent what no node sends
     */
    boolean read(ByteBuffer scratch, long nowNs) throws IOException {
        boolean ready = false;
        int bytes = channel.read(scratch.clear());
        if (bytes > 0) {
            heardNs = nowNs;
        }
        for (int i = 0; i < bytes; i++) {
            switch (scratch.get(i)) {
                case READY -> ready = true;
                case ALIVE -> {
                    // heard
                }
                case BYE -> bye = true;
                case PROBE -> questions++;
                case OPEN -> heardAnswer();
                default -> throw new IOException("it sent what no node sends: " + scratch.get(i));
            }
        }
        if (bytes < 0) {
            ended = true;
            endedNs = nowNs;
            key.cancel();
        }
        return ready;
    }

    private void heardAnswer() throws IOException {
        if (answered == said) {
            throw new IOException("it answered a question that was not asked");
        }
        answered++;
    }

    /**
     * Has the other side asked whether this connection is open there: {@link #sayQuestions}
     * follows. Any thread.
     *
     * @return the question's number
     */
    int ask() {
        return asked.incrementAndGet();
    }

    /** Returns whether a question was answered: the connection is open there. Any thread. */
    boolean isAnswered(int question) {
        return answered - question >= 0;
    }

    /** Asks what is to be asked and the socket accepts. */
    void sayQuestions(long nowNs) throws IOException {
        while (said != asked.get() && said - answered < PROBES_MAX && say(PROBE, nowNs)) {
            said++;
        }
    }

    /**
     * Answers the other side's questions, as many as it asked, or leaves them without an answer.
     */
    void answer(boolean open, long nowNs) throws IOException {
        int count = questions;
        questions = 0;
        for (int i = 0; open && i < count; i++) {
            say(OPEN, nowNs);
        }
    }

    /**
     * Sends a word, and returns whether the socket accepted it; only the loss of the last
     * one matters.
     */
    boolean say(byte word, long nowNs) throws IOException {
        int bytes = channel.write(ByteBuffer.wrap(new byte[] {word}));
        saidNs = nowNs;
        return bytes == 1;
    }

    boolean hasSaidBye() {
        return byeSaid;
    }

    /**
     * Reports that all is done, and sends nothing more. Again and again, where the socket has no
     * room for that.
     *
     * @return whether the other side will send nothing more either
     */
    boolean sayBye(long nowNs) {
        try {
            if (!byeSaid && !ended) {
                say(BYE, nowNs);
            }
            if (!outputEnded && !ended) {
                outputEnded = channel.endOutput();
            }
        } catch (IOException e) {
            ended = true; // the other node is gone
        }
        byeSaid = true;
        return ended;
    }

    /** Returns whether the other side will send nothing more. */
    boolean hasEnded() {
        return ended;
    }

    /** Returns whether it reported that before. Any thread. */
    boolean heardBye() {
        return bye;
    }

    /** Returns how long ago its end was seen. */
    long endedNs(long nowNs) {
        return nowNs - endedNs;
    }

    /**
     * What comes through the queue pair is a sign of life too: a node whose threads fight for the
     * processor may be late with words.
     */
    void noteMessages(int count, long nowNs) {
        if (count != messages) {
            messages = count;
            heardNs = nowNs;
        }
    }

    int keepAliveMs() {
        return keepAliveMs;
    }

    long ageNs(long nowNs) {
        return nowNs - beganNs;
    }

    long silenceNs(long nowNs) {
        return nowNs - heardNs;
    }

    /**
     * Sends a sign of life where it is time for one: the other side wants four in the time that it
     * bears silence. Asks what could not be asked before.
     */
    void saySigns(long nowNs) throws IOException {
        if (nowNs - saidNs >= keepAliveMs * 250_000L) {
            say(ALIVE, nowNs);
        }
        sayQuestions(nowNs);
    }

    void close() {
        ended = true;
        Channels.closeQuietly(channel);
    }
}
