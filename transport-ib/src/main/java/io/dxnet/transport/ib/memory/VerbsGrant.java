package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.memory.Right;
import io.dxnet.transport.ib.qp.AddressBlock;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.OneSidedMemory.NotifyListener;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The owner's queue pair for one node: it allows what that node may do, and has 64 receives for
 * notifications. A node that does what it may not loses its access; the others keep theirs.
 */
final class VerbsGrant implements ExposedMemory.Grant, Polled {
    private static final System.Logger LOG = System.getLogger(VerbsGrant.class.getName());
    private static final int RECEIVES = 64;
    private static final int RECEIVE_BYTES = 32;
    private static final int BATCH = 16;

    private final MemoryThread thread;
    private final int node;
    private final boolean mayWrite;
    private final MemoryRegion exposed;
    private final NotifyListener listener;
    private final CompletionQueue queue;
    private final QueuePair pair;
    private final MemoryRegion received;
    private final int receives;
    private final byte[] reply;

    // Of a batch, whose order holds until the listener has it; acquired before the other one.
    private final ReentrantLock delivery = new ReentrantLock();
    private final long[] offsets = new long[BATCH]; // under that lock, as those that follow
    private final long[] lengths = new long[BATCH];
    private final int[] values = new int[BATCH];

    private final ReentrantLock lock = new ReentrantLock();
    // All that follow: under this lock.
    private final WorkCompletion completions = new WorkCompletion(BATCH);
    private final ReceiveChain chain;
    private boolean isBroken;
    private boolean isClosed;
    private boolean isArmed;

    VerbsGrant(
            MemoryDevice device,
            ProtectionDomain domain,
            MemoryThread thread,
            MemoryRegion exposed,
            NotifyListener listener,
            int node,
            Set<Right> rights,
            AccessRequest peer) {
        this.thread = thread;
        this.exposed = exposed;
        this.listener = listener;
        this.node = node;
        this.mayWrite = rights.contains(Right.WRITE);
        this.receives = device.requests(RECEIVES);
        this.chain = new ReceiveChain(receives, 1);
        this.queue = device.context()
                .createCompletionQueue(CompletionQueue.options(receives + 1).channel(thread.channel()));
        MemoryRegion memory = null;
        try {
            memory = domain.allocate((long) receives * RECEIVE_BYTES, Access.LOCAL_WRITE);
            pair = domain.createQueuePair(
                    QueuePair.options(QpType.RC, queue, queue).send(1, 1).receive(receives, 1));
            int reads = Math.min(device.readsAnswered(), peer.reads());
            int psn = AddressBlock.randomPsn();
            AccessRequest own = new AccessRequest(device.address(pair, psn), device.mtuBytes(), reads);
            pair.connect(
                    device.gid(),
                    psn,
                    peer.address(),
                    device.connecting()
                            .apply(peer.mtuBytes())
                            .maxReadAtomic(reads)
                            .access(access(rights)));
            received = memory;
            for (int i = 0; i < receives; i++) {
                append(i);
            }
            pair.postReceive(chain);
            reply = new AccessReply(own, exposed.address(), exposed.byteSize(), exposed.remoteKey()).encode();
        } catch (VerbsException e) {
            queue.close(); // and the queue pair
            if (memory != null) {
                memory.close();
            }
            throw e;
        }
    }

    private static Access[] access(Set<Right> rights) {
        return rights.stream()
                .map(right -> switch (right) {
                    case READ -> Access.REMOTE_READ;
                    case WRITE -> Access.REMOTE_WRITE;
                    case ATOMIC -> Access.REMOTE_ATOMIC;
                })
                .toArray(Access[]::new);
    }

    private void append(int receive) {
        chain.receive(receive).sge(received, (long) receive * RECEIVE_BYTES, RECEIVE_BYTES);
    }

    @Override
    public byte[] reply() {
        return reply.clone();
    }

    @Override
    public CompletionQueue queue() {
        return queue;
    }

    @Override
    public boolean poll() {
        delivery.lock();
        try {
            return deliverBatch();
        } finally {
            delivery.unlock();
        }
    }

    @Override
    public void deliver() {
        boolean isLeft = true;
        while (isLeft) {
            isLeft = poll();
        }
    }

    private boolean deliverBatch() {
        int count;
        boolean work;
        lock.lock();
        try {
            int completed = isBroken || isClosed ? 0 : queue.poll(completions);
            count = take(completed);
            work = completed > 0;
        } catch (VerbsException | IllegalStateException e) {
            broken("the device failed: " + e.getMessage());
            return false;
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < count; i++) { // a region that is closed has no use for them
            report(offsets[i], lengths[i], values[i]);
        }
        return work;
    }

    /** {@return how many notifications came, which are copied, and their receives posted again} */
    private int take(int completed) {
        chain.clear();
        int count = 0;
        for (int i = 0; i < completed && !isBroken; i++) {
            WorkCompletion completion = completions.at(i);
            if (!completion.isSuccess()) {
                broken("it did what it has no right to (" + completion.status() + ")");
            } else if (!mayWrite || completion.byteLength() != Notification.BYTES) {
                broken("it sent a message that is no notification, or has no right to write");
            } else {
                MemorySegment memory = received.memory();
                long at = completion.id() * RECEIVE_BYTES;
                offsets[count] = Notification.offset(memory, at);
                lengths[count] = Notification.length(memory, at);
                values[count] = Notification.value(memory, at);
                if (isInside(offsets[count], lengths[count])) {
                    count++;
                    append((int) completion.id());
                } else {
                    broken("it reported a write outside of the memory");
                }
            }
        }
        if (chain.size() > 0 && !isBroken) {
            pair.postReceive(chain);
        }
        return count;
    }

    private boolean isInside(long offset, long length) {
        return offset >= 0 && length >= 0 && offset <= exposed.byteSize() && length <= exposed.byteSize() - offset;
    }

    /** Its queue pair ends now, if the device has not ended it. */
    private void broken(String why) {
        isBroken = true;
        LOG.log(Level.WARNING, "the access of node {0} to memory of this node ends: {1}", node, why);
        try {
            pair.close();
        } catch (VerbsException e) {
            LOG.log(Level.WARNING, "a queue pair for one-sided access could not be destroyed", e);
        }
    }

    private void report(long offset, long length, int value) {
        try {
            listener.onNotify(node, offset, length, value);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "the listener of notifications failed", e);
        }
    }

    @Override
    public void arm() {
        lock.lock();
        try {
            if (!isArmed && !isBroken && !isClosed) {
                queue.requestNotification(false);
                isArmed = true;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void fired() {
        lock.lock();
        isArmed = false;
        lock.unlock();
    }

    @Override
    public long expire(long nowNs, long limitNs) {
        return limitNs; // nothing of it has a deadline
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!isClosed) {
                isClosed = true;
                pair.close();
                queue.close();
                received.close();
            }
        } catch (VerbsException e) {
            // The end of the registration, or of the device, ends the access.
            LOG.log(Level.WARNING, "a queue pair for one-sided access could not be destroyed", e);
        } finally {
            lock.unlock();
        }
        thread.remove(this);
    }
}
