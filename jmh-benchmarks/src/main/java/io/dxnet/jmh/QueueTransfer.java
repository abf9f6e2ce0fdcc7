package io.dxnet.jmh;

import java.util.Queue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.openjdk.jmh.annotations.Param;

/** References through a queue of JCTools: the nearest library structure. */
public abstract class QueueTransfer extends Transfer {
    static final int CAPACITY = 1 << 14;
    static final long[] MESSAGE = new long[8];

    Queue<long[]> queue;

    final void offer(long[] message) {
        int tries = 0;
        while (!queue.offer(message)) {
            tries = backOff(tries);
        }
    }

    /** Several producers, one consumer. */
    public static class Mpsc extends QueueTransfer {
        @Param({"1", "2", "4", "8", "16", "32", "64", "128"})
        int producers;

        @Override
        protected int workers() {
            return producers;
        }

        @Override
        protected void prepare() {
            queue = new MpscVarHandleArrayQueue<>(CAPACITY);
        }

        @Override
        protected void work(int worker) {
            for (int i = ITEMS / producers; i > 0; i--) {
                offer(MESSAGE);
            }
        }

        @Override
        protected long drive() {
            long sum = 0;
            int tries = 0;
            for (int left = ITEMS; left > 0; ) {
                long[] message = queue.poll();
                if (message == null) {
                    tries = backOff(tries);
                } else {
                    sum += message[0];
                    left--;
                    tries = 0;
                }
            }
            return sum;
        }
    }

    /** One producer, several consumers. */
    public static class Spmc extends QueueTransfer {
        @Param({"1", "2", "4"})
        int consumers;

        private volatile boolean complete;

        @Override
        protected int workers() {
            return consumers;
        }

        @Override
        protected void prepare() {
            queue = new SpmcVarHandleArrayQueue<>(CAPACITY);
        }

        @Override
        protected void work(int worker) {
            int tries = 0;
            for (; ; ) {
                boolean last = complete;
                if (queue.poll() != null) {
                    tries = 0;
                } else if (last) {
                    return;
                } else {
                    tries = backOff(tries);
                }
            }
        }

        @Override
        protected void beginRound() {
            complete = false;
        }

        @Override
        protected long drive() {
            for (int i = 0; i < ITEMS; i++) {
                offer(MESSAGE);
            }
            complete = true;
            return ITEMS;
        }
    }
}
