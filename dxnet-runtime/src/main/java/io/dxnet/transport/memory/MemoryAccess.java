package io.dxnet.transport.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Access to a segment of another node. Any thread, except where a method states otherwise. */
public interface MemoryAccess extends AutoCloseable {
    /** {@return what the owner's {@link ExposedMemory#grant} needs} */
    byte[] request();

    /**
     * Connects, with what the owner replied. Once, before all operations.
     *
     * @param reply of the owner
     * @throws DXNetException when it is malformed, or the device refuses
     */
    void open(byte[] reply) throws DXNetException;

    /**
     * {@return whether it carries out {@link MemoryOperation.Kind#NOTIFY}; if not, messages carry
     * chains with one}
     */
    default boolean notifies() {
        return true;
    }

    /**
     * Posts operations as one chain: they are carried out in this order; a
     * {@link MemoryOperation#isFenced fenced} one starts when those before it are complete. Waits
     * for room where the device's queue is full, until the first operation's deadline, and then
     * fails what it has not posted with {@link Outcome#NOT_DONE}. Each operation is
     * completed exactly once, on a thread of the transport, or on the caller's.
     *
     * @param operations one or more, whose ranges were checked
     */
    void post(MemoryOperation... operations);

    /**
     * Posts operations as {@link #post} does. The calling thread is about to wait for them: until
     * they are complete, or for the time that an idle thread polls before it parks, it may process
     * completions itself, also those of other operations. That saves the hand-over from a thread of
     * the transport. Where these are carried out, {@link MemoryOperation#done} may be called with a
     * lock of the transport held: it must not block, nor call back.
     *
     * @param pending of these operations
     * @param operations one or more, whose ranges were checked
     */
    default void postAndPoll(Pending pending, MemoryOperation... operations) {
        post(operations);
    }

    /**
     * Reads or writes for the calling thread, as {@link #postAndPoll} does with one operation. An
     * access may post it before there is an operation for it, and needs none where it is carried
     * out by then.
     *
     * @param kind READ or WRITE
     * @param offset in the owner's segment, bytes
     * @param local the local memory, which any thread may access
     * @param length bytes
     * @param source of what stands for the operation otherwise
     * @return null: it was carried out; otherwise what the calling thread has to wait for
     */
    default @Nullable Awaited move(
            MemoryOperation.Kind kind, long offset, MemorySegment local, long length, Source source) {
        Awaited awaited = source.acquire();
        MemoryOperation[] operation = awaited.begin(kind, offset, local, length);
        postAndPoll(awaited.pending(), operation);
        return awaited;
    }

    /**
     * An operation that a thread waits for, used again by later ones. An access may call it with a
     * lock held.
     */
    interface Awaited {
        /**
         * It stands for a read or write now. The calling thread waits for it.
         *
         * @param kind READ or WRITE
         * @param offset in the owner's segment, bytes
         * @param local the local memory
         * @param length bytes
         * @return the operation alone
         */
        MemoryOperation[] begin(MemoryOperation.Kind kind, long offset, MemorySegment local, long length);

        /** {@return what the calling thread waits for} */
        Pending pending();
    }

    /** Has operations that stand for nothing yet. Any thread, also one that holds a lock. */
    interface Source {
        /** {@return one of them, which the caller owns} */
        Awaited acquire();
    }

    /**
     * Processes completions on the calling thread, as {@link #postAndPoll} does after it has
     * posted: until what it waits for has ended, or for the time that an idle thread polls before
     * it parks, or not at all where another thread does.
     *
     * @param pending what the thread waits for
     */
    default void poll(Pending pending) {}

    /** What a thread waits for. Any thread. */
    interface Pending {
        /** {@return whether all has ended} */
        boolean isDone();
    }

    /**
     * Ends the access. Operations in flight are failed with {@link Outcome#UNKNOWN}
     * before it returns; their local segments are not accessed any more.
     */
    @Override
    void close();
}
