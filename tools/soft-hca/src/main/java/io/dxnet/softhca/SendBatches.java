package io.dxnet.softhca;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** The memory in which the threads that send collect datagrams: kept for the next ones. */
final class SendBatches {
    /** More threads than this that send at once make batches of their own. */
    private static final int KEPT = 8;

    private final AtomicReferenceArray<SendBatch> kept = new AtomicReferenceArray<>(KEPT);

    /** An empty batch. */
    SendBatch acquire() {
        for (int i = 0; i < KEPT; i++) {
            SendBatch batch = kept.getPlain(i) == null ? null : kept.getAndSet(i, null);
            if (batch != null) {
                return batch;
            }
        }
        return new SendBatch();
    }

    void release(SendBatch batch) {
        batch.clear();
        for (int i = 0; i < KEPT; i++) {
            if (kept.getPlain(i) == null && kept.compareAndSet(i, null, batch)) {
                return;
            }
        }
    }
}
