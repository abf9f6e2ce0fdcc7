package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_ah;
import io.dxnet.ibverbs.raw.ibv_ah_attr;
import java.lang.foreign.Arena;

/**
 * The destination of datagrams ({@code struct ibv_ah}; {@code man ibv_create_ah}). Any thread may
 * use it; close it after the sends that use it have completed.
 */
public final class AddressHandle extends Resource {
    private final ProtectionDomain domain;
    private final AddressVector to;
    private final long address;

    private AddressHandle(ProtectionDomain domain, AddressVector to, long address) {
        super(domain);
        this.domain = domain;
        this.to = to;
        this.address = address;
    }

    static AddressHandle create(ProtectionDomain domain, AddressVector to) {
        domain.enter();
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(ibv_ah_attr.layout()).address();
            to.write(attributes);
            Context context = domain.context();
            long address = context.library()
                    .createAh
                    .pointer(
                            errno -> "no way to " + to + " (RoCE needs a GID; is there a route to its address?)",
                            domain.address(),
                            attributes);
            return attached(context.library().destroyAh, address, () -> {
                Abi.checkOwner("ibv_ah", context.address(), Memory.getLong(address + ibv_ah.context$offset()));
                return new AddressHandle(domain, to, address);
            });
        } finally {
            domain.exit();
        }
    }

    /**
     * Returns the destination.
     *
     * @return the destination of datagrams
     */
    public AddressVector to() {
        return to;
    }

    long address() {
        return address;
    }

    Context context() {
        return domain.context();
    }

    @Override
    void awaitDataPath() {
        Quiescence.awaitAll();
    }

    @Override
    void destroy() {
        domain.context().library().destroyAh.status(errno -> "", address);
    }

    @Override
    public String toString() {
        return "address handle to " + to;
    }
}
