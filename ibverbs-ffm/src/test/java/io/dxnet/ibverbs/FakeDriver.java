package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_comp_channel;
import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.raw.ibv_device;
import io.dxnet.ibverbs.raw.ibv_mr;
import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.verbs_context;
import io.dxnet.ibverbs.raw.verbs_h;
import io.dxnet.ibverbs.spi.VerbsCalls;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A device without hardware and without C: it makes structures, counts the calls, and fails when a
 * test wants it to. One thread at a time, but for sends.
 */
final class FakeDriver implements VerbsProvider, VerbsCalls, AutoCloseable {
    /** More than any structure has. */
    private static final int STRUCTURE_BYTES = 256;

    private final Arena arena = Arena.ofShared();
    private final List<String> names = new ArrayList<>();
    private final List<String> called = new ArrayList<>();
    private final int eventFd = Posix.eventDescriptor();
    private final long device = arena.allocate(ibv_device.sizeof(), 8).address();
    private final long deviceList = arena.allocate(16, 8).address();

    /** What the data path throws; null: nothing. */
    Error failure;

    /** The descriptor of new completion channels. */
    int channelFd = eventFd;

    /** What new objects name as their context, instead of the true one; 0: the true one. */
    long foreignContext;

    /** How many sends it accepts. */
    int sendRoom = Integer.MAX_VALUE;

    /** The most sends in a row without a signaled one. */
    int longestRun;

    private int run;

    FakeDriver() {
        Memory.putLong(deviceList, device);
        Memory.copy(MemorySegment.ofArray("fake0".getBytes()), 0, device + ibv_device.name$offset(), 5);
    }

    Context open() {
        return Device.list(new Library(this, this)).getFirst().open();
    }

    /** How often a function was called. */
    int calls(String name) {
        return Collections.frequency(called, name);
    }

    int eventFd() {
        return eventFd;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public boolean offers(String deviceName) {
        return deviceName.equals("fake0");
    }

    @Override
    public boolean upcalls() {
        return false;
    }

    @Override
    public SymbolLookup symbols() {
        return name -> Optional.of(MemorySegment.ofAddress(function(name)));
    }

    private long function(String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
        return names.indexOf(name) + 1;
    }

    @Override
    public void prepare() {}

    @Override
    public int post(long function, long queue, long request, long badRequest) {
        return names.get((int) function - 1).equals("post_send") ? send(request, badRequest) : result();
    }

    /** Several threads may call it. */
    private synchronized int send(long first, long badRequest) {
        for (long request = first; request != 0; request = Memory.getLong(request + ibv_send_wr.next$offset())) {
            if (sendRoom == 0) {
                Memory.putLong(badRequest, request);
                return verbs_h.ENOMEM();
            }
            sendRoom--;
            boolean isSignaled =
                    (Memory.getInt(request + ibv_send_wr.send_flags$offset()) & verbs_h.IBV_SEND_SIGNALED()) != 0;
            run = isSignaled ? 0 : run + 1;
            longestRun = Math.max(longestRun, run);
        }
        return result();
    }

    @Override
    public int poll(long function, long queue, int entries, long completions) {
        return result();
    }

    @Override
    public int requestNotification(long function, long queue, int solicitedOnly) {
        return result();
    }

    private int result() {
        if (failure != null) {
            throw failure;
        }
        return 0;
    }

    @Override
    public long call(long function, long arguments, int count, long errnoAt) {
        String name = names.get((int) function - 1);
        called.add(name);
        long first = count == 0 ? 0 : Memory.getLong(arguments);
        return switch (name) {
            case "ibv_get_device_list" -> deviceList;
            case "ibv_get_device_name" -> first + ibv_device.name$offset();
            case "ibv_open_device" -> context();
            case "ibv_alloc_pd", "ibv_create_cq", "ibv_alloc_td", "ibv_alloc_parent_domain" -> structure(first);
            case "ibv_create_comp_channel" -> {
                long channel = structure(first);
                Memory.putInt(channel + ibv_comp_channel.fd$offset(), channelFd);
                yield channel;
            }
            case "ibv_reg_mr_iova2" -> {
                long region = structure(Memory.getLong(first));
                Memory.putLong(region + ibv_mr.length$offset(), Memory.getLong(arguments + 16));
                yield region;
            }
            case "ibv_create_qp", "ibv_create_srq", "ibv_create_ah", "ibv_alloc_mw" -> structure(Memory.getLong(first));
            default -> 0;
        };
    }

    /** An object that has its context first, as each of them. */
    private long structure(long context) {
        long address = arena.allocate(STRUCTURE_BYTES, 8).address();
        Memory.putLong(address, foreignContext == 0 ? context : foreignContext);
        return address;
    }

    private long context() {
        long context = arena.allocate(verbs_context.sizeof() + 64, 8).address() + verbs_context.context$offset();
        Memory.putLong(context + ibv_context.device$offset(), device);
        Memory.putLong(context + Abi.ABI_COMPAT_OFFSET, -1);
        Memory.putLong(context + Context.offsetInContext(verbs_context.sz$offset()), verbs_context.sizeof());
        Memory.putInt(context + ibv_context.num_comp_vectors$offset(), 1);
        Memory.putInt(context + ibv_context.async_fd$offset(), eventFd);
        operation(context, verbs_context.alloc_td$offset(), "ibv_alloc_td");
        operation(context, verbs_context.dealloc_td$offset(), "ibv_dealloc_td");
        operation(context, verbs_context.alloc_parent_domain$offset(), "ibv_alloc_parent_domain");
        long ops = ibv_context.ops$offset() - Context.offsetInContext(0);
        operation(context, ops + ibv_context_ops.alloc_mw$offset(), "ibv_alloc_mw");
        operation(context, ops + ibv_context_ops.dealloc_mw$offset(), "ibv_dealloc_mw");
        operation(context, ops + ibv_context_ops.poll_cq$offset(), "poll_cq");
        operation(context, ops + ibv_context_ops.req_notify_cq$offset(), "req_notify_cq");
        operation(context, ops + ibv_context_ops.post_srq_recv$offset(), "post_srq_recv");
        operation(context, ops + ibv_context_ops.post_send$offset(), "post_send");
        operation(context, ops + ibv_context_ops.post_recv$offset(), "post_recv");
        return context;
    }

    private void operation(long context, long offset, String name) {
        Memory.putLong(context + Context.offsetInContext(offset), function(name));
    }

    @Override
    public void close() {
        Posix.close(eventFd);
        arena.close();
    }
}
