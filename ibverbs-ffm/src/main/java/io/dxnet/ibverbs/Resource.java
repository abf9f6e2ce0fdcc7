package io.dxnet.ibverbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * An object of the library with a life: a context and everything made from it. A resource keeps
 * what it was made from open and reachable.
 *
 * <p>{@link #close()} may be called by any thread, more than once, and in any order: it closes
 * first whatever still depends on the resource, newest first, then the resource itself. A call that
 * is under way in another thread ends first; every later call throws {@link IllegalStateException}.
 * A thread that waits for events is woken.
 */
public abstract sealed class Resource implements AutoCloseable
        permits Context,
                ProtectionDomain,
                ThreadDomain,
                MemoryRegion,
                MemoryWindow,
                CompletionChannel,
                CompletionQueue,
                SharedReceiveQueue,
                QueuePair,
                AddressHandle {
    private static final AtomicLong CREATED = new AtomicLong();

    private final long order = CREATED.incrementAndGet();
    /** Written by the constructor and {@link #move}. */
    private volatile List<Resource> parents;

    private final Set<Resource> children = ConcurrentHashMap.newKeySet();
    private final AtomicInteger users = new AtomicInteger();
    private final ReentrantLock closing = new ReentrantLock();

    /** Set once, under {@code closing}; read by every call. */
    private volatile boolean closed;

    /** Whether the native object is gone; guarded by {@code closing}. */
    private boolean destroyed;

    /** Whether nothing is left to do; guarded by {@code closing}. */
    private boolean forgotten;

    Resource(Resource... parents) {
        this.parents = List.of(parents);
    }

    /**
     * Makes the Java object of a native object that exists, while its parents are entered, and
     * attaches it. Where that fails, the native object is destroyed.
     *
     * @param destroy what destroys the native object
     * @param address the native object's
     */
    static <R extends Resource> R attached(NativeFunction destroy, long address, Supplier<R> make) {
        R made = null;
        try {
            made = make.get();
            made.attach();
            return made;
        } catch (Throwable e) {
            discard(made, destroy, address, e);
            throw e;
        }
    }

    private static void discard(Resource made, NativeFunction destroy, long address, Throwable failure) {
        try {
            if (made == null) {
                destroy.status(errno -> "", address);
            } else {
                made.close();
            }
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * To be called once the native object exists, while the parents are entered: from now
     * on their close closes this one.
     */
    final void attach() {
        for (Resource parent : parents) {
            parent.children.add(this);
        }
        remember();
    }

    /** What makes it known beyond its parents; {@link #forget} undoes it. */
    void remember() {}

    /** From now on, closing this closes {@code child} first, which was not made from it. */
    final void adopt(Resource child) {
        children.add(child);
    }

    /** Undoes {@link #adopt}. */
    final void release(Resource child) {
        children.remove(child);
    }

    /** From now on, closing {@code to} closes this instead of {@code from}; all are entered. */
    final void move(Resource from, Resource to) {
        to.children.add(this);
        parents = parents.stream().map(parent -> parent == from ? to : parent).toList();
        if (from != to) {
            from.children.remove(this);
        }
    }

    /** Whether a resource with this and others as children closes this first, whatever is newer. */
    boolean closesBeforeOthers() {
        return false;
    }

    /**
     * Destroys the native object. Nothing uses it any more, and nothing depends on it. Where it
     * throws, the next close calls it again; once it has returned, none does.
     */
    abstract void destroy();

    /** What is left once the native object is gone; the next close tries again where it throws. */
    void forget() {}

    /** Wakes threads that wait inside a call; the resource counts as closed already. */
    void wake() {}

    /** Waits for calls of the data path, which do not {@link #enter()}. */
    void awaitDataPath() {}

    /** Starts a call of the control path: the resource stays whole until {@link #exit()}. */
    final void enter() {
        if (!tryEnter()) {
            throw closedException();
        }
    }

    /** As {@link #enter()}, but returns whether it could instead of throwing. */
    final boolean tryEnter() {
        users.incrementAndGet();
        if (closed) {
            users.decrementAndGet();
            return false;
        }
        return true;
    }

    final void exit() {
        users.decrementAndGet();
    }

    /** Enters all or none. */
    static void enterAll(Resource... resources) {
        int entered = 0;
        try {
            for (Resource resource : resources) {
                resource.enter();
                entered++;
            }
        } catch (Throwable e) {
            for (int i = 0; i < entered; i++) {
                resources[i].exit();
            }
            throw e;
        }
    }

    static void exitAll(Resource... resources) {
        for (Resource resource : resources) {
            resource.exit();
        }
    }

    /**
     * Returns whether the resource was closed.
     *
     * @return whether {@link #close()} was called, here or on something this was made from
     */
    public final boolean isClosed() {
        return closed;
    }

    final IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    /**
     * Closes what depends on this resource and then the resource. Does nothing
     * where that has happened already.
     *
     * @throws VerbsException if the library refuses to destroy the
     *     object; calling again tries again
     */
    @Override
    public final void close() {
        closing.lock();
        try {
            if (forgotten) {
                return;
            }
            if (!destroyed) {
                closed = true;
                wake();
                while (users.get() != 0) {
                    Thread.yield();
                }
                closeChildren();
                awaitDataPath();
                destroy();
                destroyed = true;
            }
            forget();
            forgotten = true;
        } finally {
            closing.unlock();
        }
        for (Resource parent : parents) {
            parent.children.remove(this);
        }
    }

    /** Closes what depends on this, newest first, but windows before what they are bound to. */
    final void closeChildren() {
        List<Resource> newestFirst = new ArrayList<>(children);
        newestFirst.sort(Comparator.comparing(Resource::closesBeforeOthers)
                .thenComparingLong(child -> child.order)
                .reversed());
        VerbsException failure = null;
        for (Resource child : newestFirst) {
            try {
                child.close();
            } catch (VerbsException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
