package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.DeviceAttributes;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.GidType;
import io.dxnet.ibverbs.LinkLayer;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.PortAttributes;
import io.dxnet.ibverbs.PortState;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.VerbsUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opening, asking, choosing a GID, registering memory. */
@Timeout(120)
class DeviceTest {
    private static final int EINVAL = 22;
    private static final int EFAULT = 14;
    private static final int ENODATA = 61;

    @Test
    @DisplayName("3: the device is listed, opens by name, and reports its limits and its port")
    void shouldOpenAndDescribeItself() {
        Device device = Rig.device();
        assertThat(Device.list()).extracting(Device::name).contains(Rig.DEVICE);
        try (Context context = device.open()) {
            DeviceAttributes attributes = context.attributes();
            assertThat(attributes.ports()).isPositive();
            assertThat(attributes.maxQueuePairs()).isPositive();
            assertThat(attributes.maxWorkRequests()).isPositive();
            assertThat(attributes.maxSge()).isPositive();
            assertThat(attributes.maxCompletions()).isPositive();
            assertThat(attributes.maxMemoryRegionBytes()).isPositive();
            PortAttributes port = context.port(Rig.PORT);
            assertThat(port.state()).isEqualTo(PortState.ACTIVE);
            assertThat(port.activeMtu().bytes()).isBetween(256, port.maxMtu().bytes());
            assertThat(port.linkLayer()).isNotEqualTo(LinkLayer.UNKNOWN);
            assertThat(context.completionVectors()).isPositive();
            assertThat(context.pkey(Rig.PORT, 0))
                    .describedAs("the default partition")
                    .isEqualTo(0xffff);
        }
    }

    @Test
    @DisplayName("3: a device that is not there is refused with the names of those that are")
    void shouldNameTheDevicesWhenOneIsMissing() {
        Rig.device();
        assertThatThrownBy(() -> Device.named("nosuch7"))
                .isInstanceOf(VerbsUnavailableException.class)
                .hasMessageContaining("nosuch7");
    }

    @Test
    @DisplayName("3: a port that is not there is refused")
    void shouldRefuseUnknownPort() {
        try (Rig rig = Rig.open()) {
            assertThatThrownBy(() -> rig.context.port(77))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ibv_query_port");
        }
    }

    @Test
    @DisplayName("4: the GID chosen is filled, of the best type, and reads the same by its index")
    void shouldChooseGid() {
        try (Rig rig = Rig.open()) {
            GidEntry chosen = rig.gid;
            assertThat(chosen.gid().isZero()).isFalse();
            assertThat(rig.context.gid(Rig.PORT, chosen.index())).isEqualTo(chosen.gid());
            if (rig.context.port(Rig.PORT).linkLayer() == LinkLayer.ETHERNET) {
                assertThat(chosen.type()).isEqualTo(GidType.ROCE_V2);
                boolean hasIpv4 = rig.context.gids(Rig.PORT).stream()
                        .anyMatch(e -> e.gid().isIpv4Mapped() && e.type() == GidType.ROCE_V2);
                assertThat(chosen.gid().isIpv4Mapped()).isEqualTo(hasIpv4);
            }
        }
    }

    @Test
    @DisplayName("4: an empty entry of the GID table is an error, not a GID of zeros")
    void shouldRefuseEmptyGid() {
        try (Rig rig = Rig.open()) {
            int length = rig.context.port(Rig.PORT).gidTableLength();
            int empty = rig.context.gids(Rig.PORT).stream()
                            .mapToInt(GidEntry::index)
                            .max()
                            .orElse(-1)
                    + 1;
            Rig.only(empty < length, "every entry of the GID table is filled");
            assertThatThrownBy(() -> rig.context.gid(Rig.PORT, empty))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(ENODATA));
        }
    }

    @Test
    @DisplayName("5: memory registers with a key, and its size is a long")
    void shouldRegisterMemory() {
        try (Rig rig = Rig.open();
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3 * 4096 + 5, 64);
            try (MemoryRegion region = rig.domain.register(memory, Access.LOCAL_WRITE)) {
                assertThat(region.byteSize()).isEqualTo(3 * 4096 + 5);
                assertThat(region.address()).isEqualTo(memory.address());
                assertThat(region.localKey()).isNotZero();
            }
        }
    }

    @Test
    @DisplayName("5: registering nothing, an array, closed memory or too much access fails with its reason")
    @SuppressWarnings("restricted")
    void shouldRefuseBadRegistrations() {
        try (Rig rig = Rig.open()) {
            Arena closed = Arena.ofConfined();
            MemorySegment dead = closed.allocate(64);
            closed.close();
            assertThatThrownBy(() -> rig.domain.register(dead, Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> rig.domain.register(MemorySegment.ofArray(new byte[64]), Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(64);
                assertErrno(EINVAL, () -> rig.domain.register(memory.asSlice(0, 0), Access.LOCAL_WRITE));
                assertErrno(EINVAL, () -> rig.domain.register(memory, Access.REMOTE_WRITE));
            }
            MemorySegment unmapped = MemorySegment.ofAddress(0x1000).reinterpret(4096);
            assertErrno(EFAULT, () -> rig.domain.register(unmapped, Access.LOCAL_WRITE));
        }
    }

    @Test
    @DisplayName("5: a region and its memory close in the safe order, twice, and throw afterwards")
    void shouldCloseRegions() {
        try (Rig rig = Rig.open()) {
            MemoryRegion region = rig.memory(4096);
            MemorySegment memory = region.memory();
            memory.set(ValueLayout.JAVA_BYTE, 4095, (byte) 1);
            region.close();
            region.close();
            assertThat(region.isClosed()).isTrue();
            assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        }
    }

    private static void assertErrno(int errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
