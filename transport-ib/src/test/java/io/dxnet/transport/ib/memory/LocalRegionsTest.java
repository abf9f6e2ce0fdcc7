package io.dxnet.transport.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.transport.ib.MemoryDevices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which registrations of local memory are kept, and for how long. */
class LocalRegionsTest {
    private static final int MIB = 1 << 20;

    private MemoryDevice device;
    private LocalRegions regions;

    @BeforeEach
    void open() throws Exception {
        device = MemoryDevices.open(0, 17);
        ProtectionDomain domain = device.context().allocateProtectionDomain();
        regions = new LocalRegions(domain);
    }

    @AfterEach
    void close() {
        regions.close();
        device.context().close();
    }

    private LocalRegions.Lease use(MemorySegment memory) {
        LocalRegions.Lease lease = regions.acquire(memory);
        regions.release(lease);
        return lease;
    }

    @Test
    void shouldFindTheRegistrationOfMemoryAndOfItsParts() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(MIB);
            LocalRegions.Lease lease = use(memory);
            assertThat(use(memory)).isSameAs(lease);
            assertThat(use(memory.asSlice(5, 10))).isSameAs(lease);
            assertThat(use(arena.allocate(MIB))).isNotSameAs(lease);
            assertThat(lease.region().isClosed()).isFalse();
            regions.close();
            assertThat(lease.region().isClosed()).isTrue();
        }
    }

    /** Another arena may get the same address. */
    @Test
    void shouldForgetMemoryWhoseArenaIsClosed() {
        LocalRegions.Lease first;
        try (Arena arena = Arena.ofShared()) {
            first = use(arena.allocate(MIB));
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(MIB);
            LocalRegions.Lease second = use(memory);
            assertThat(second).isNotSameAs(first);
            assertThat(second.region().memory()).isEqualTo(memory);
            assertThat(first.region().isClosed()).isTrue();
        }
    }

    @Test
    void shouldRefuseMemoryWhoseArenaIsClosed() {
        MemorySegment used;
        MemorySegment unused;
        LocalRegions.Lease lease;
        try (Arena arena = Arena.ofShared()) {
            used = arena.allocate(MIB);
            unused = arena.allocate(MIB);
            lease = use(used);
        }
        assertThatThrownBy(() -> regions.acquire(used)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> regions.acquire(unused)).isInstanceOf(IllegalStateException.class);
        assertThat(lease.region().isClosed()).isTrue();
    }

    @Test
    void shouldRegisterGlobalMemoryForOneOperation() {
        LocalRegions.Lease lease = use(Arena.global().allocate(8192));
        assertThat(lease.region().isClosed()).isTrue();
    }

    @Test
    void shouldCloseTheLeastRecentlyUsedBeyondTheBudget() {
        try (Arena arena = Arena.ofShared()) {
            List<LocalRegions.Lease> leases = new ArrayList<>();
            MemorySegment first = arena.allocate(8 * MIB);
            leases.add(use(first));
            for (int i = 1; i < 8; i++) {
                leases.add(use(arena.allocate(8 * MIB)));
            }
            assertThat(leases).noneMatch(lease -> lease.region().isClosed());
            use(first);
            use(arena.allocate(1));
            assertThat(leases.get(0).region().isClosed()).isFalse();
            assertThat(leases.get(1).region().isClosed()).isTrue();
            LocalRegions.Lease large = use(arena.allocate(65 * MIB));
            assertThat(large.region().isClosed()).as("more than the budget").isTrue();
            for (int i = 0; i < 100; i++) {
                leases.add(use(arena.allocate(4096)));
            }
            assertThat(leases.stream().filter(lease -> !lease.region().isClosed()))
                    .hasSizeLessThanOrEqualTo(64);
        }
    }

    @Test
    void shouldKeepWhatIsInUse() {
        try (Arena arena = Arena.ofShared()) {
            LocalRegions.Lease used = regions.acquire(arena.allocate(MIB));
            for (int i = 0; i < 100; i++) {
                use(arena.allocate(2 * MIB));
            }
            assertThat(used.region().isClosed()).isFalse();
            regions.release(used);
        }
    }
}
