package io.dxnet.tools.compare.peers;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpAmRecvCallback;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

/** A UCX worker, and at most one endpoint to send to. Used by one thread. */
final class JucxLink implements Closeable {
    /** Messages without completion. */
    static final int WINDOW = 64;

    private static final int BYTES_MAX = 64 << 10;
    private static final int EMPTY_POLLS = 100;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final UcpContext context;
    private final UcpWorker worker;
    /** They must stay as long as the worker may call them. */
    private final List<UcpAmRecvCallback> callbacks = new ArrayList<>();

    private final ByteBuffer[] buffers = new ByteBuffer[WINDOW];
    private final long[] addresses = new long[WINDOW];
    private final UcpRequest[] requests = new UcpRequest[WINDOW];
    private UcpEndpoint endpoint;
    private int slot;
    private int emptyPolls;
    /** The other side has closed first. */
    private boolean lost;

    private JucxLink(UcpParams features, String transports) {
        UcpParams params = features.setConfig("TLS", transports);
        if (transports.equals("tcp")) {
            params.setConfig("NET_DEVICES", "lo");
        }
        context = new UcpContext(params);
        worker = context.newWorker(new UcpWorkerParams());
    }

    static JucxLink forMessages(String transports) {
        return new JucxLink(new UcpParams().requestAmFeature(), transports);
    }

    static JucxLink forMemory(String transports) {
        return new JucxLink(new UcpParams().requestRmaFeature(), transports);
    }

    /** Allocates memory that others can access. */
    JucxMemory allocate(int bytes) {
        return new JucxMemory(context.memoryMap(new UcpMemMapParams().allocate().setLength(bytes)));
    }

    /** Makes memory of the other side accessible. */
    JucxMemory.Remote unpack(String text) {
        return JucxMemory.Remote.of(endpoint, text);
    }

    /** Copies memory of the other side to an address of this process. */
    void get(JucxMemory.Remote remote, long to, int bytes) throws IOException {
        await(endpoint.getNonBlocking(remote.address(), remote.key(), to, bytes, new Completion()));
    }

    /** Copies bytes at an address of this process to memory of the other side. */
    void put(JucxMemory.Remote remote, long from, int bytes) throws IOException {
        endpoint.putNonBlocking(from, bytes, remote.address(), remote.key(), new Completion());
        await(endpoint.flushNonBlocking(new Completion()));
    }

    private void await(UcpRequest request) throws IOException {
        await(request::isCompleted, this::progress, "an operation is still not complete");
    }

    byte[] addressBytes() {
        ByteBuffer address = worker.getAddress();
        byte[] bytes = new byte[address.remaining()];
        address.get(bytes);
        return bytes;
    }

    String address() {
        return HexFormat.of().formatHex(addressBytes());
    }

    void connect(String address) {
        connectBytes(HexFormat.of().parseHex(address));
    }

    void connectBytes(byte[] address) {
        ByteBuffer direct =
                ByteBuffer.allocateDirect(address.length).put(address).flip();
        endpoint = worker.newEndpoint(new UcpEndpointParams()
                .setUcpAddress(direct)
                .setErrorHandler((failed, status, message) -> lost = true));
    }

    void onMessage(int id, Consumer<UcpAmData> handler) {
        UcpAmRecvCallback callback = (header, headerLength, data, from) -> {
            handler.accept(data);
            return UcsConstants.STATUS.UCS_OK; // done with the data
        };
        callbacks.add(callback);
        worker.setAmRecvHandler(id, callback, UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    }

    static void copy(UcpAmData data, byte[] into) {
        if (!data.isDataValid() || data.getLength() < into.length) {
            throw new IllegalStateException("an eager message has its data with it");
        }
        UcxUtils.getByteBufferView(data.getDataAddress(), into.length).get(into);
    }

    /** Sends a message; false when too many are without completion. */
    boolean send(int id, byte[] payload) {
        int i = slot;
        UcpRequest last = requests[i];
        if (last != null && !last.isCompleted()) {
            return false;
        }
        if (buffers[i] == null) {
            buffers[i] = ByteBuffer.allocateDirect(BYTES_MAX);
            addresses[i] = UcxUtils.getAddress(buffers[i]);
        }
        buffers[i].put(0, payload);
        requests[i] = endpoint.sendAmNonBlocking(
                id, 0, 0, addresses[i], payload.length, UcpConstants.UCP_AM_SEND_FLAG_EAGER, new Completion());
        slot = (i + 1) % WINDOW;
        return true;
    }

    /**
     * Throws a request's error, which would be lost
     * otherwise; completion itself is read from the request.
     */
    private static final class Completion extends UcxCallback {
        @Override
        public void onError(int status, String message) {
            throw new UcxException(message, status);
        }
    }

    /** Polls; lets others run when nothing came for a while. */
    void progress() {
        if (progressOnce() != 0) {
            emptyPolls = 0;
        } else if (++emptyPolls > EMPTY_POLLS) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Polls; returns how much happened. */
    int progressOnce() {
        try {
            return worker.progress();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits, while doing {@code step} again and again. */
    static void await(BooleanSupplier condition, Runnable step, String otherwise) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            step.run();
            if (System.nanoTime() > deadline) {
                throw new IOException(otherwise);
            }
        }
    }

    /** Closes when all messages are on their way. */
    @Override
    public void close() throws IOException {
        if (endpoint != null && !lost) {
            UcpRequest closing = endpoint.closeNonBlockingFlush();
            await(() -> lost || closing.isCompleted(), this::progress, "messages are still not sent");
        }
        worker.close();
        context.close();
    }
}
