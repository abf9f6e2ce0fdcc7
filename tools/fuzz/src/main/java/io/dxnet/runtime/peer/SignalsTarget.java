package io.dxnet.runtime.peer;

import io.dxnet.Disconnect;
import io.dxnet.tools.fuzz.FuzzTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * The signals of the other node, in any order and at any time of a
 * connection's life. An end counts as orderly on evidence only, signals too
 * early are refused, and every end is over within a bounded time.
 *
 * <p>Input: an even byte is an event of this node (its second bit and
 * up choose it), an odd one announces a byte of signals.
 */
public final class SignalsTarget implements FuzzTarget {
    private static final long TIMEOUT_NS = 1_000;
    private static final int EVENTS = 10;

    /** Creates the target. */
    public SignalsTarget() {}

    @Override
    public String name() {
        return "signals";
    }

    @Override
    public List<byte[]> seeds() {
        int handled = ConnectionLife.SEEN | ConnectionLife.HANDLED;
        List<byte[]> seeds = new ArrayList<>();
        for (int signals : new int[] {1, 2, 4, 8, 16, 32, 64, 128, handled, 31, 63, 255}) {
            // Opened both ways, ended, its handover written, the other's
            // handover and goodbye reached, its own written, confirmed.
            seeds.add(new byte[] {0, 2, 4, 6, 8, 12, 1, 6, 16, 8, 10, 8, 1, (byte) signals, 8, 14, 8});
            seeds.add(new byte[] {1, (byte) signals, 0, 1, (byte) signals, 4, 1, (byte) signals, 6});
        }
        return seeds;
    }

    @Override
    public void run(byte[] input) {
        Side side = new Side();
        for (int i = 0; i < input.length; i++) {
            if ((input[i] & 1) == 0) {
                side.event((input[i] & 0xFF) / 2 % EVENTS);
            } else if (++i < input.length) {
                side.receive(input[i] & 0xFF);
            }
        }
        side.finish();
    }

    /** One node's side of a connection, and what the protocol requires of it. */
    private static final class Side implements ConnectionLife.Streams {
        private final ConnectionLife life = new ConnectionLife(TIMEOUT_NS);
        private long nowNs;
        private long handled;
        private boolean requests;
        private boolean handedOver;
        private boolean saidGoodbye;
        private boolean heardGoodbye;
        private boolean confirmed;
        private int ended;

        void event(int which) {
            switch (which) {
                case 0 -> {
                    if (life.startOpening()) {
                        life.outgoingOpened();
                    }
                }
                case 1 -> life.incomingOpened();
                case 2 -> life.end(Disconnect.Reason.CLOSED, nowNs);
                case 3 -> nowNs += TIMEOUT_NS / 4;
                case 4 -> step();
                case 5 -> handled++;
                case 6 -> life.handoverReached(nowNs);
                case 7 -> requests = !requests;
                case 8 -> heardGoodbye |= life.goodbyeReached() && !life.isEnded();
                default -> life.broken("cut", nowNs);
            }
        }

        void receive(int signals) {
            boolean over = life.isEnded();
            boolean known = signals < 2 * ConnectionLife.PASSED;
            boolean early = !handedOver && (signals & ConnectionLife.SEEN) != 0
                    || !saidGoodbye && (signals & ConnectionLife.HANDLED) != 0;
            boolean taken = life.received(signals, nowNs);
            if (taken != (over || known && !early)) {
                throw new AssertionError((taken ? "accepted" : "refused") + " signals " + signals + " in " + life);
            }
            if (!over && taken) {
                confirmed |= (signals & ConnectionLife.HANDLED) != 0;
            }
        }

        private void step() {
            int effects = life.step(nowNs, this);
            if ((effects & ConnectionLife.SEND_SIGNALS) != 0 && life.takeSignals() == 0) {
                throw new AssertionError("no signals to send in " + life);
            }
            if ((effects & ConnectionLife.WRITE_HANDOVER) != 0) {
                handedOver = true;
                life.handoverWritten();
            }
            if ((effects & ConnectionLife.WRITE_GOODBYE) != 0) {
                saidGoodbye = true;
                life.goodbyeWritten();
            }
            if ((effects & ConnectionLife.END) != 0) {
                ended++;
            }
            if (life.isEnded() != (ended == 1)) {
                throw new AssertionError("reported " + ended + " ends in " + life);
            }
            boolean evidence = confirmed || !life.isOutgoingOpen();
            if (life.isDelivered() && !evidence
                    || life.isOrderly() && !(evidence && (heardGoodbye || !life.isIncomingOpen()))) {
                throw new AssertionError("an end without evidence: " + life);
            }
        }

        /** Without progress, an end lasts no longer than its time limit. */
        void finish() {
            boolean ends = life.state() == ConnectionLife.State.ENDING;
            step();
            nowNs += TIMEOUT_NS;
            step();
            if (ends && !life.isEnded()) {
                throw new AssertionError("still " + life);
            }
        }

        @Override
        public boolean hasRequests() {
            return requests;
        }

        @Override
        public boolean hasReceived() {
            return handled > 0;
        }

        @Override
        public boolean isParsed() {
            return true;
        }

        @Override
        public boolean isHandled() {
            return heardGoodbye;
        }

        @Override
        public boolean isAllHandled() {
            return true;
        }

        @Override
        public long handledMark() {
            return handled;
        }

        @Override
        public long aheadMark() {
            return handledMark();
        }

        @Override
        public long sentMark() {
            return 0;
        }

        @Override
        public long unconfirmedBytes() {
            return 1;
        }

        @Override
        public void closeRing() {}
    }
}
