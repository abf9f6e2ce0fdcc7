package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.MemoryWindow;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.Reregistration;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regions that change their memory, their protection domain or their access. */
@Timeout(240)
class ReregistrationTest {
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;
    private static final int EOPNOTSUPP = 95;
    private static final int BYTES = 4096;
    private static final Access[] WRITABLE = {Access.LOCAL_WRITE, Access.REMOTE_WRITE};

    private Arena arena;
    private Rig rig;
    private Rig owner;
    private CompletionQueue sendQueue;
    private QueuePair user;
    private QueuePair owning;
    private MemoryRegion local;

    @BeforeEach
    void connect() {
        arena = Arena.ofShared();
        rig = Rig.open();
        owner = rig.remote();
        sendQueue = rig.queue(256);
        local = rig.memory(64);
        Rig.fill(local.memory(), 0, 64, 1);
        reconnect(owner.domain);
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
        arena.close();
    }

    /** New queue pairs, the owner's of this domain. */
    private void reconnect(ProtectionDomain domain) {
        user = rig.pair(sendQueue, rig.queue(64));
        owning = domain.createQueuePair(QueuePair.options(QpType.RC, owner.queue(64), owner.queue(64)));
        rig.connectRemote(user, owning);
    }

    private MemorySegment memory() {
        MemorySegment memory = arena.allocate(BYTES, 4096);
        memory.fill(Rig.UNTOUCHED);
        return memory;
    }

    private static MemorySegment closedMemory() {
        try (Arena closed = Arena.ofConfined()) {
            return closed.allocate(64);
        }
    }

    /** Aborts the test where the device does not offer it. */
    private static void reregister(MemoryRegion region, Reregistration change) {
        try {
            region.reregister(change);
        } catch (VerbsException e) {
            Rig.only(e.errno() != EOPNOTSUPP, "no re-registration: " + e.getMessage());
            throw e;
        }
    }

    /** A region that was registered anew once: the device offers it, or the test is aborted. */
    private MemoryRegion changed(Access... access) {
        MemoryRegion region = owner.domain.register(memory(), Access.LOCAL_WRITE);
        reregister(region, new Reregistration().access(access));
        return region;
    }

    private WcStatus write(long address, int key) {
        assertThat(user.postSend(new SendChain(1, 1)
                        .write(1, address, key)
                        .sge(local, 0, 64)
                        .signaled()))
                .isEqualTo(1);
        return rig.awaitOne(sendQueue).status();
    }

    private static void checkUntouched(MemorySegment memory) {
        assertThat(memory.mismatch(filled())).isEqualTo(-1);
    }

    private static MemorySegment filled() {
        return MemorySegment.ofArray(new byte[BYTES]).fill(Rig.UNTOUCHED);
    }

    @Test
    @DisplayName("51: rights are added and removed with a change of access, and the memory stays")
    void shouldChangeAccess() {
        MemorySegment memory = memory();
        MemoryRegion region = owner.domain.register(memory, Access.LOCAL_WRITE);
        reregister(region, new Reregistration().access(WRITABLE));
        assertThat(region.memory()).isEqualTo(memory);
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.SUCCESS);
        Rig.check(memory, 0, 64, 1);
        reregister(region, new Reregistration().access(Access.LOCAL_WRITE));
        memory.fill(Rig.UNTOUCHED);
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.REM_ACCESS_ERR);
        checkUntouched(memory);
    }

    @Test
    @DisplayName(
            "51: a region that moves to another protection domain works there, not in its old one, and closes there")
    void shouldChangeDomain() {
        MemorySegment memory = memory();
        MemoryRegion region = owner.domain.register(memory, WRITABLE);
        ProtectionDomain before = owner.context.allocateProtectionDomain();
        ProtectionDomain domain = owner.context.allocateProtectionDomain();
        reregister(region, new Reregistration().domain(before));
        reregister(region, new Reregistration().domain(domain));
        before.close();
        assertThat(region.isClosed()).isFalse();
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.REM_ACCESS_ERR);
        checkUntouched(memory);
        reconnect(domain);
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.SUCCESS);
        Rig.check(memory, 0, 64, 1);
        domain.close();
        assertThat(region.isClosed()).isTrue();
    }

    @Test
    @DisplayName("51: writes reach the new memory after a change of it, and the old memory is out of reach")
    void shouldChangeMemory() {
        MemorySegment first = memory();
        MemorySegment second = memory().asSlice(0, 1024);
        MemoryRegion region = owner.domain.register(first, WRITABLE);
        int oldKey = region.remoteKey();
        reregister(region, new Reregistration().memory(second));
        assertThat(region.memory()).isEqualTo(second);
        assertThat(region.address()).isEqualTo(second.address());
        assertThat(region.byteSize()).isEqualTo(1024);
        assertThatThrownBy(() -> new SendChain(1, 1).send(1).sge(region, 1000, 64))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.SUCCESS);
        Rig.check(second, 0, 64, 1);
        assertThat(write(first.address(), oldKey)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        reconnect(owner.domain);
        assertThat(write(first.address(), region.remoteKey())).isEqualTo(WcStatus.REM_ACCESS_ERR);
        checkUntouched(first);
    }

    @Test
    @DisplayName("51: memory, domain and access change with one call, also for what this side sends")
    void shouldChangeAllAtOnce() {
        MemorySegment second = memory();
        MemoryRegion region = owner.domain.register(memory(), Access.LOCAL_WRITE);
        ProtectionDomain domain = owner.context.allocateProtectionDomain();
        reregister(region, new Reregistration().memory(second).domain(domain).access(WRITABLE));
        reconnect(domain);
        assertThat(write(region.address() + 100, region.remoteKey())).isEqualTo(WcStatus.SUCCESS);
        Rig.check(second, 100, 64, 1);
        MemoryRegion target = rig.memory(64);
        CompletionQueue queue = owner.queue(16);
        QueuePair sending = domain.createQueuePair(QueuePair.options(QpType.RC, queue, owner.queue(16)));
        rig.connectRemote(rig.pair(rig.queue(16), rig.queue(16)), sending);
        assertThat(sending.postSend(new SendChain(1, 1)
                        .write(1, target.address(), target.remoteKey())
                        .sge(region, 100, 64)
                        .signaled()))
                .isEqualTo(1);
        owner.awaitSuccess(queue);
        Rig.check(target.memory(), 0, 64, 1);
    }

    @Test
    @DisplayName("51: a change that cannot be is refused with its reason, and the region works as before")
    void shouldRefuseWrongChanges() {
        MemorySegment memory = memory();
        MemoryRegion region = owner.domain.register(memory, WRITABLE);
        assertThatThrownBy(() -> region.reregister(new Reregistration()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing changes");
        assertThatThrownBy(() -> region.reregister(new Reregistration().memory(MemorySegment.ofArray(new byte[8]))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> region.reregister(new Reregistration().memory(memory.asSlice(0, 0))))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(EINVAL));
        MemorySegment gone = closedMemory();
        assertThatThrownBy(() -> region.reregister(new Reregistration().memory(gone)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("arena is closed");
        try (Rig other = Rig.open(Rig.REMOTE)) {
            assertThatThrownBy(() -> region.reregister(new Reregistration().domain(other.domain)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another context");
        }
        MemoryRegion own = owner.domain.allocate(64, WRITABLE);
        assertThatThrownBy(() -> own.reregister(new Reregistration().memory(memory)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ProtectionDomain.register");
        own.close();
        assertThatThrownBy(() -> own.reregister(new Reregistration().access(WRITABLE)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.SUCCESS);
        Rig.check(memory, 0, 64, 1);
    }

    @Test
    @DisplayName("51: after a change that the device broke off, the region can only be closed")
    void shouldOnlyCloseAfterAFailure() {
        MemoryRegion region = changed(WRITABLE);
        assertThatThrownBy(() -> region.reregister(new Reregistration().access(Access.REMOTE_WRITE)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(EINVAL))
                .hasMessageContaining("ibv_rereg_mr")
                .hasMessageContaining("can only be closed");
        assertThatThrownBy(() -> new SendChain(1, 1).send(1).sge(region, 0, 8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("register anew");
        assertThatThrownBy(() -> region.reregister(new Reregistration().access(WRITABLE)))
                .isInstanceOf(IllegalStateException.class);
        region.close();
    }

    @Test
    @DisplayName("51: a region with a bound window does not change, and closes after its window")
    void shouldRefuseWhileAWindowIsBound() {
        Rig.only(owner.context.attributes().windows().hasType2(), "no memory windows of type 2");
        MemoryRegion region = changed(Access.LOCAL_WRITE, Access.MW_BIND);
        CompletionQueue queue = owner.queue(16);
        QueuePair binding = owner.pair(queue, owner.queue(16));
        rig.connectRemote(rig.pair(rig.queue(16), rig.queue(16)), binding);
        MemoryWindow window = owner.domain.allocateMemoryWindow();
        binding.postSend(new SendChain(1, 0)
                .bind(1, window, region, 0, 64, Access.REMOTE_READ)
                .signaled());
        owner.awaitSuccess(queue);
        assertThatThrownBy(() -> region.reregister(new Reregistration().access(WRITABLE)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(EBUSY))
                .hasMessageContaining("invalidated");
        window.close();
        region.close();
    }

    @Test
    @DisplayName("51: a device that does not offer it leaves the region as it was")
    void shouldStayUsableWhereNotOffered() {
        MemorySegment memory = memory();
        MemoryRegion region = owner.domain.register(memory, WRITABLE);
        try {
            region.reregister(new Reregistration().access(WRITABLE));
        } catch (VerbsException e) {
            assertThat(e.errno()).isEqualTo(EOPNOTSUPP);
            assertThat(e).hasMessageContaining("as before");
        }
        assertThat(write(region.address(), region.remoteKey())).isEqualTo(WcStatus.SUCCESS);
        Rig.check(memory, 0, 64, 1);
    }
}
