package io.dxnet.transport.ib;

import io.dxnet.contract.TestConnection;
import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import io.dxnet.transport.security.ConnectionKey;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;

/**
 * A send queue with a ring, connected to a queue pair whose messages are
 * kept: the parts without threads.
 */
final class Wire implements AutoCloseable {
    static final int NODE = 5;
    static final int MESSAGE_MAX = 64;
    private static final int RECEIVES = 256;
    private static final int RECEIVE_BYTES = MESSAGE_MAX + GcmDirection.TAG_BYTES;
    private static final String PURPOSE = "test";
    private static final long REQUEST_ID = 42;
    /** A key for so few that it is changed all the time. */
    private static final long KEY_BLOCKS = 100;

    /** One message as it arrived. */
    record Arrived(int bytes, int nodeId, int steps, int signals) {
        Arrived(int bytes, int nodeId, int steps) {
            this(bytes, nodeId, steps, 0);
        }
    }

    final Context context = Device.named(IbNodes.DEVICE).open();
    final ProtectionDomain domain = context.allocateProtectionDomain();
    final AtomicInteger outstanding = new AtomicInteger();
    final List<Arrived> arrived = new ArrayList<>();
    final ByteArrayOutputStream stream = new ByteArrayOutputStream();
    final SteppingConnection connection;
    final SendQueue queue;
    GcmDirection encrypting; // null: nothing is encrypted
    private ReceiveCipher decrypting;
    private final CompletionQueue sent = context.createCompletionQueue(1024);
    private final CompletionQueue received = context.createCompletionQueue(1024);
    private final SharedReceiveQueue receives = domain.createSharedReceiveQueue(RECEIVES, 1);
    private final MemoryRegion memory = domain.allocate(RECEIVES * RECEIVE_BYTES, Access.LOCAL_WRITE);
    private final QueuePair a;
    private final QueuePair b;
    private final WorkCompletion batch = new WorkCompletion(16);
    private int written;

    /** A connection whose flow control is a counter. */
    static final class SteppingConnection extends TestConnection {
        SteppingConnection(OutgoingRingBuffer ring) {
            super(NODE + 1, ring);
        }

        @Override
        public void flowControlReceived(int count) {
            throw new AssertionError();
        }

        @Override
        public void signalsReceived(int set) {
            throw new AssertionError();
        }

        @Override
        public void released() {
            throw new AssertionError();
        }
    }

    Wire(int depth, int ringBytes, Encryption encryption) {
        GidEntry gid = context.chooseGid(1);
        a = pair(depth);
        b = pair(depth);
        a.connect(gid, 1, b.addressFor(gid, 2), new ConnectOptions().timeout(8).retryCount(1));
        b.connect(gid, 2, a.addressFor(gid, 1), new ConnectOptions());
        MemoryRegion ring = domain.allocate(ringBytes);
        connection = new SteppingConnection(new OutgoingRingBuffer(ring.memory(), 256, 1 << 20));
        SendStaging staging = null;
        if (encryption == Encryption.AES_GCM) {
            ConnectionKey key = ConnectionKey.of(new byte[32]);
            encrypting = new GcmDirection(Cipher.ENCRYPT_MODE, key, PURPOSE, KEY_BLOCKS, 0);
            decrypting = new ReceiveCipher(new GcmDirection(Cipher.DECRYPT_MODE, key, PURPOSE, KEY_BLOCKS, 0));
            staging = new SendStaging(
                    connection.ring(),
                    domain.allocate(SendStaging.regionBytes(depth, MESSAGE_MAX)),
                    depth,
                    MESSAGE_MAX,
                    encrypting);
        }
        queue = new SendQueue(connection, a, ring, depth, MESSAGE_MAX, staging, REQUEST_ID, NODE, outstanding);
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
    }

    private QueuePair pair(int depth) {
        return domain.createQueuePair(
                QueuePair.options(QpType.RC, sent, received).shared(receives).send(depth, 2));
    }

    private void postReceive(long slot) {
        ReceiveChain chain = new ReceiveChain(1, 1).clear();
        chain.receive(slot);
        chain.sge(memory, slot * RECEIVE_BYTES, RECEIVE_BYTES);
        if (receives.post(chain) != 1) {
            throw new AssertionError("the receive was refused");
        }
    }

    static byte expected(int position) {
        return (byte) (position * 31 + (position >> 8));
    }

    /** Commits the next bytes of the stream. */
    void write(int bytes) {
        OutgoingRingBuffer ring = connection.ring();
        long claim = ring.tryClaim(bytes, Window.IGNORED);
        if (claim < 0) {
            throw new AssertionError("no room for " + bytes + " bytes");
        }
        int offset = ring.offset(claim);
        for (int i = 0; i < bytes; i++) {
            ring.segment().set(ValueLayout.JAVA_BYTE, (offset + i) % ring.capacity(), expected(written++));
        }
        ring.commit(claim, bytes);
    }

    int written() {
        return written;
    }

    boolean hasRoom(int bytes) {
        return connection.ring().capacity() - connection.ring().pending() >= bytes;
    }

    /** Polls the completions of sends; returns how many. */
    int poll() {
        int count = sent.poll(batch);
        for (int i = 0; i < count; i++) {
            if (batch.at(i).id() != REQUEST_ID || !batch.at(i).isSuccess()) {
                throw new AssertionError("a wrong completion: " + batch.at(i));
            }
            queue.completed();
        }
        return count;
    }

    /** Receives what arrived. */
    void receive() {
        for (int count = received.poll(batch); count > 0; count = received.poll(batch)) {
            for (int i = 0; i < count; i++) {
                WorkCompletion each = batch.at(i);
                byte[] content = memory.memory()
                        .asSlice(each.id() * RECEIVE_BYTES, each.byteLength())
                        .toArray(ValueLayout.JAVA_BYTE);
                int bytes = content.length;
                if (decrypting != null) {
                    byte[] message = content;
                    content = new byte[MESSAGE_MAX];
                    bytes = decrypting.decrypt(message, message.length, content, each.immediate());
                    if (bytes < 0) {
                        throw new AssertionError("not authentic: message " + arrived.size());
                    }
                }
                arrived.add(new Arrived(
                        bytes,
                        ImmediateData.nodeId(each.immediate()),
                        ImmediateData.steps(each.immediate()),
                        ImmediateData.signals(each.immediate())));
                stream.write(content, 0, bytes);
                postReceive(each.id());
            }
        }
    }

    int stepsReceived() {
        return arrived.stream().mapToInt(Arrived::steps).sum();
    }

    int signalsReceived() {
        return arrived.stream().mapToInt(Arrived::signals).reduce(0, (a, b) -> a | b);
    }

    @Override
    public void close() {
        context.close();
    }
}
