package io.dxnet.runtime;

import java.util.concurrent.CompletableFuture;

/** A future that has no memory for its failure at first: each makes a record of it. */
public final class OnceFullFuture<T> extends CompletableFuture<T> {
    private boolean thrown;

    @Override
    public boolean completeExceptionally(Throwable failure) {
        if (!thrown) {
            thrown = true;
            throw new OutOfMemoryError("the test wants it");
        }
        return super.completeExceptionally(failure);
    }
}
