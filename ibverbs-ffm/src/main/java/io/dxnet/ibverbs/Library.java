package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;
import io.dxnet.ibverbs.spi.VerbsCalls;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The exported functions of one provider's libibverbs. Found once, at start: what
 * is missing is reported together.
 */
final class Library {
    private final VerbsProvider provider;
    private final VerbsCalls calls; // null: the binding's own
    private final SymbolLookup symbols;
    private final List<String> missing = new ArrayList<>();

    final NativeFunction getDeviceList;
    final NativeFunction freeDeviceList;
    final NativeFunction getDeviceName;
    final NativeFunction getDeviceGuid;
    final NativeFunction openDevice;
    final NativeFunction closeDevice;
    final NativeFunction queryDevice;
    final NativeFunction queryPort;
    final NativeFunction queryPkey;
    final NativeFunction queryGid;
    /** Null where the library is older than rdma-core 32. */
    final NativeFunction queryGidTable;

    final NativeFunction getAsyncEvent;
    final NativeFunction ackAsyncEvent;
    final NativeFunction allocPd;
    final NativeFunction deallocPd;
    final NativeFunction regMr;
    /** Null where the library is older than rdma-core 27. */
    final NativeFunction regMrIova2;

    /** Null where the provider does not offer it. */
    final NativeFunction reregMr;

    final NativeFunction deregMr;
    final NativeFunction createCompChannel;
    final NativeFunction destroyCompChannel;
    final NativeFunction createCq;
    final NativeFunction resizeCq;
    final NativeFunction destroyCq;
    final NativeFunction getCqEvent;
    final NativeFunction ackCqEvents;
    final NativeFunction createSrq;
    final NativeFunction modifySrq;
    final NativeFunction querySrq;
    final NativeFunction destroySrq;
    final NativeFunction createQp;
    final NativeFunction modifyQp;
    final NativeFunction queryQp;
    final NativeFunction destroyQp;
    final NativeFunction createAh;
    final NativeFunction destroyAh;

    Library(VerbsProvider provider, VerbsCalls calls) {
        this.provider = provider;
        this.calls = calls;
        this.symbols = provider.symbols();
        getDeviceList = required("ibv_get_device_list", verbs_h.ibv_get_device_list$descriptor());
        freeDeviceList = required("ibv_free_device_list", verbs_h.ibv_free_device_list$descriptor());
        getDeviceName = required("ibv_get_device_name", verbs_h.ibv_get_device_name$descriptor());
        getDeviceGuid = required("ibv_get_device_guid", verbs_h.ibv_get_device_guid$descriptor());
        openDevice = required("ibv_open_device", verbs_h.ibv_open_device$descriptor());
        closeDevice = required("ibv_close_device", verbs_h.ibv_close_device$descriptor());
        queryDevice = required("ibv_query_device", verbs_h.ibv_query_device$descriptor());
        queryPort = required("ibv_query_port", verbs_h.ibv_query_port$descriptor());
        queryPkey = required("ibv_query_pkey", verbs_h.ibv_query_pkey$descriptor());
        queryGid = required("ibv_query_gid", verbs_h.ibv_query_gid$descriptor());
        queryGidTable = optional("_ibv_query_gid_table", verbs_h._ibv_query_gid_table$descriptor());
        getAsyncEvent = required("ibv_get_async_event", verbs_h.ibv_get_async_event$descriptor());
        ackAsyncEvent = required("ibv_ack_async_event", verbs_h.ibv_ack_async_event$descriptor());
        allocPd = required("ibv_alloc_pd", verbs_h.ibv_alloc_pd$descriptor());
        deallocPd = required("ibv_dealloc_pd", verbs_h.ibv_dealloc_pd$descriptor());
        regMr = required("ibv_reg_mr", verbs_h.ibv_reg_mr$descriptor());
        regMrIova2 = optional("ibv_reg_mr_iova2", verbs_h.ibv_reg_mr_iova2$descriptor());
        reregMr = optional("ibv_rereg_mr", verbs_h.ibv_rereg_mr$descriptor());
        deregMr = required("ibv_dereg_mr", verbs_h.ibv_dereg_mr$descriptor());
        createCompChannel = required("ibv_create_comp_channel", verbs_h.ibv_create_comp_channel$descriptor());
        destroyCompChannel = required("ibv_destroy_comp_channel", verbs_h.ibv_destroy_comp_channel$descriptor());
        createCq = required("ibv_create_cq", verbs_h.ibv_create_cq$descriptor());
        resizeCq = required("ibv_resize_cq", verbs_h.ibv_resize_cq$descriptor());
        destroyCq = required("ibv_destroy_cq", verbs_h.ibv_destroy_cq$descriptor());
        getCqEvent = required("ibv_get_cq_event", verbs_h.ibv_get_cq_event$descriptor());
        ackCqEvents = required("ibv_ack_cq_events", verbs_h.ibv_ack_cq_events$descriptor());
        createSrq = required("ibv_create_srq", verbs_h.ibv_create_srq$descriptor());
        modifySrq = required("ibv_modify_srq", verbs_h.ibv_modify_srq$descriptor());
        querySrq = required("ibv_query_srq", verbs_h.ibv_query_srq$descriptor());
        destroySrq = required("ibv_destroy_srq", verbs_h.ibv_destroy_srq$descriptor());
        createQp = required("ibv_create_qp", verbs_h.ibv_create_qp$descriptor());
        modifyQp = required("ibv_modify_qp", verbs_h.ibv_modify_qp$descriptor());
        queryQp = required("ibv_query_qp", verbs_h.ibv_query_qp$descriptor());
        destroyQp = required("ibv_destroy_qp", verbs_h.ibv_destroy_qp$descriptor());
        createAh = required("ibv_create_ah", verbs_h.ibv_create_ah$descriptor());
        destroyAh = required("ibv_destroy_ah", verbs_h.ibv_destroy_ah$descriptor());
        if (!missing.isEmpty()) {
            throw new VerbsUnavailableException(
                    VerbsUnavailableException.Cause.INCOMPATIBLE,
                    provider.name() + " has no " + String.join(", ", missing)
                            + ": it is not libibverbs, or older than rdma-core 17 (tested with 44 and newer)",
                    null);
        }
    }

    private NativeFunction optional(String name, FunctionDescriptor descriptor) {
        Optional<MemorySegment> address = symbols.find(name);
        return address.map(a -> new NativeFunction(provider, calls, name, a, descriptor))
                .orElse(null);
    }

    private NativeFunction required(String name, FunctionDescriptor descriptor) {
        NativeFunction function = optional(name, descriptor);
        if (function == null) {
            missing.add(name);
        }
        return function;
    }

    /**
     * A function whose address is a field of {@code verbs_context}; null
     * where the device does not offer it.
     */
    NativeFunction operation(String name, long address, FunctionDescriptor descriptor) {
        return address == 0 ? null : new NativeFunction(provider, calls, name, Memory.function(address), descriptor);
    }

    VerbsProvider provider() {
        return provider;
    }

    /** How the functions are called; null for the binding's own calls. */
    VerbsCalls calls() {
        return calls;
    }
}
