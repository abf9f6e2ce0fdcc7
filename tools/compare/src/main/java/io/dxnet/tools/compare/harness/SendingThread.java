package io.dxnet.tools.compare.harness;

import java.time.Duration;

/** A thread that sends as fast as the peer accepts messages, until {@link #stop}. */
final class SendingThread implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final PeerClient client;
    private final Workload workload;
    private final int number;
    private final Thread thread;
    private volatile boolean stopped;
    /** Written by the thread, read after its end. */
    private long sent;

    private Exception failure;

    private SendingThread(PeerClient client, Workload workload, int number) {
        this.client = client;
        this.workload = workload;
        this.number = number;
        this.thread = Thread.ofPlatform().name("sender-" + number).daemon().unstarted(this);
    }

    static SendingThread start(PeerClient client, Workload workload, int number) {
        SendingThread sending = new SendingThread(client, workload, number);
        sending.thread.start();
        return sending;
    }

    @Override
    public void run() {
        byte[] payload = new byte[workload.size()];
        Payload.fill(payload, number, 0);
        try (Sender sender = client.sender(number)) {
            while (!stopped) {
                if (sender.send(payload)) {
                    sent++;
                    if (workload.verify()) {
                        Payload.fill(payload, number, sent);
                    }
                }
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    /** Makes the thread end after the message that it is sending. */
    void stop() {
        stopped = true;
    }

    /** Waits for its end; returns how many messages it sent. */
    long sent() throws Exception {
        if (!thread.join(PATIENCE)) {
            throw new IllegalStateException("sending thread " + number + " does not end");
        }
        if (failure != null) {
            throw failure;
        }
        return sent;
    }
}
