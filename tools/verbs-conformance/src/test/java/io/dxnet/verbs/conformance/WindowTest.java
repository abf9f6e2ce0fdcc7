package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.AtomicCapability;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.MemoryWindow;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WcOpcode;
import io.dxnet.ibverbs.WcStatus;
import io.dxnet.ibverbs.WindowCapability;
import io.dxnet.ibverbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory windows of type 2: what they allow and refuse, and when that ends. */
@Timeout(240)
class WindowTest {
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;
    private static final int EOPNOTSUPP = 95;
    private static final int BYTES = 4096;

    /** Where the window of most tests begins, and how long it is. */
    private static final int START = 1024;

    private static final int LENGTH = 512;
    private static final Access[] ALL = {Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};

    /** The end that uses windows. */
    private Rig rig;

    /** The end that has them. */
    private Rig owner;

    private CompletionQueue sendQueue;
    private CompletionQueue userReceives;
    private CompletionQueue ownerQueue;
    private CompletionQueue ownerReceives;
    private QueuePair user;
    private QueuePair owning;
    private MemoryRegion local;
    private MemoryRegion region;
    private MemoryWindow window;

    @BeforeEach
    void connect() {
        rig = Rig.open();
        owner = rig.remote();
        WindowCapability windows = owner.context.attributes().windows();
        Rig.only(windows.hasType2(), "no memory windows of type 2: " + windows);
        sendQueue = rig.queue(256);
        userReceives = rig.queue(64);
        ownerQueue = owner.queue(256);
        ownerReceives = owner.queue(64);
        user = using();
        owning = owner.pair(ownerQueue, ownerReceives);
        rig.connectRemote(user, owning);
        local = rig.memory(BYTES);
        region = owner.domain.allocate(BYTES, Access.LOCAL_WRITE, Access.MW_BIND);
        Rig.untouch(local);
        Rig.untouch(region);
        window = owner.domain.allocateMemoryWindow();
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private QueuePair using() {
        return rig.pair(sendQueue, userReceives);
    }

    private Rig.Done complete(QueuePair pair, Rig end, CompletionQueue queue, SendChain chain) {
        assertThat(pair.postSend(chain)).isEqualTo(chain.size());
        return end.awaitOne(queue);
    }

    private Rig.Done use(SendChain chain) {
        return complete(user, rig, sendQueue, chain);
    }

    private Rig.Done own(SendChain chain) {
        return complete(owning, owner, ownerQueue, chain);
    }

    private static SendChain chain() {
        return new SendChain(4, 1);
    }

    /** Binds the window, and returns its key. */
    private int bind(long offset, long length, Access... access) {
        Rig.Done bound =
                own(chain().bind(1, window, region, offset, length, access).signaled());
        assertThat(bound.ok()).as("%s", bound).isTrue();
        assertThat(bound.opcode()).isEqualTo(WcOpcode.BIND_MW);
        return window.remoteKey();
    }

    private void invalidate(int key) {
        Rig.Done done = own(chain().invalidate(2, key).signaled());
        assertThat(done.ok()).as("%s", done).isTrue();
        assertThat(done.opcode()).isEqualTo(WcOpcode.LOCAL_INV);
    }

    private SendChain write(long offset, int key, int bytes) {
        return chain().write(3, region.address() + offset, key)
                .sge(local, 0, bytes)
                .signaled();
    }

    /** Whether the device with the windows is the kernel's, which checks less than others. */
    private static boolean isOwnerRxe() {
        return Rig.REMOTE.startsWith("rxe");
    }

    private void assertWriteRefused(long offset, int key) {
        Rig.untouch(region);
        Rig.fill(local.memory(), 0, 8, 5);
        assertThat(use(write(offset, key, 8)).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(region.memory(), 0, BYTES);
    }

    @Test
    @DisplayName("48: a window allows its whole range for writes, reads and atomics, and the region itself has no key")
    void shouldGiveItsRange() {
        int key = bind(START, LENGTH, ALL);
        Rig.fill(local.memory(), 0, LENGTH, 1);
        assertThat(use(write(START, key, LENGTH)).ok()).isTrue();
        Rig.check(region.memory(), START, LENGTH, 1);
        Rig.checkUntouched(region.memory(), 0, START);
        Rig.checkUntouched(region.memory(), START + LENGTH, BYTES - START - LENGTH);
        assertThat(use(chain().read(4, region.address() + START, key)
                                .sge(local, 1000, LENGTH)
                                .signaled())
                        .ok())
                .isTrue();
        Rig.check(local.memory(), 1000, LENGTH, 1);
        if (rig.context.attributes().atomics() != AtomicCapability.NONE) {
            region.memory().set(ValueLayout.JAVA_LONG, START + 8, 40);
            Rig.Done added = use(chain().fetchAdd(5, region.address() + START + 8, key, 2)
                    .sge(local, 0, 8)
                    .signaled());
            assertThat(added.ok()).isTrue();
            assertThat(local.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
            assertThat(region.memory().get(ValueLayout.JAVA_LONG, START + 8)).isEqualTo(42);
        }
        assertWriteRefused(START, region.remoteKey());
    }

    @ParameterizedTest
    @ValueSource(ints = {START - 1, START - 8, START + LENGTH - 7, START + LENGTH, 0, BYTES - 4})
    @DisplayName("48: a write that is not wholly inside the window is refused, and changes nothing: at")
    void shouldRefuseOutsideTheRange(int offset) {
        int key = bind(START, LENGTH, ALL);
        WcStatus status = use(write(offset, key, 8)).status();
        Rig.only(
                !isOwnerRxe() || status != WcStatus.SUCCESS || offset + 8 > BYTES,
                "rxe checks the range of the region, and not that of the window");
        assertThat(status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(region.memory(), 0, BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "read", "atomic"})
    @DisplayName("48: what the window does not allow is refused, and changes nothing:")
    void shouldRefuseWithoutTheRight(String operation) {
        Access[] others = switch (operation) {
            case "write" -> new Access[] {Access.REMOTE_READ, Access.REMOTE_ATOMIC};
            case "read" -> new Access[] {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};
            default -> new Access[] {Access.REMOTE_READ, Access.REMOTE_WRITE};
        };
        int key = bind(START, LENGTH, others);
        long address = region.address() + START;
        SendChain chain = chain();
        switch (operation) {
            case "write" -> chain.write(3, address, key);
            case "read" -> chain.read(3, address, key);
            default -> chain.fetchAdd(3, address, key, 1);
        }
        assertThat(use(chain.sge(local, 0, 8).signaled()).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(region.memory(), 0, BYTES);
        Rig.checkUntouched(local.memory(), 0, BYTES);
    }

    @Test
    @DisplayName("48: a window that is not bound yet refuses")
    void shouldRefuseBeforeItIsBound() {
        assertWriteRefused(START, window.remoteKey());
    }

    @Test
    @DisplayName("48: after an invalidation the key is refused, and a write before it is whole")
    void shouldRefuseAfterInvalidation() {
        int key = bind(START, LENGTH, ALL);
        Rig.fill(local.memory(), 0, 8, 5);
        assertThat(use(write(START, key, 8)).ok()).isTrue();
        Rig.check(region.memory(), START, 8, 5);
        invalidate(key);
        assertWriteRefused(START, key);
    }

    @Test
    @DisplayName("48: a window that is bound again has another key and range, and the key of before is refused")
    void shouldRefuseTheOldKeyAfterRebinding() {
        int old = bind(START, LENGTH, ALL);
        invalidate(old);
        int key = bind(0, 64, Access.REMOTE_WRITE);
        assertThat(key).isNotEqualTo(old);
        assertThat(key & ~0xff).isEqualTo(old & ~0xff);
        Rig.fill(local.memory(), 0, 64, 7);
        assertThat(use(write(0, key, 64)).ok()).isTrue();
        Rig.check(region.memory(), 0, 64, 7);
        assertWriteRefused(0, old);
    }

    @Test
    @DisplayName("48: the peer ends its own access with a send, whose receive reports the key")
    void shouldLetThePeerInvalidate() {
        int key = bind(START, LENGTH, ALL);
        MemoryRegion received = owner.memory(64);
        assertThat(owning.postReceive(new ReceiveChain(1, 1).receive(9).sge(received, 0, 64)))
                .isEqualTo(1);
        Rig.fill(local.memory(), 0, 64, 3);
        Rig.Done sent = use(chain().sendInvalidating(4, key).sge(local, 0, 64).signaled());
        assertThat(sent.ok()).isTrue();
        assertThat(sent.opcode()).isEqualTo(WcOpcode.SEND);
        WorkCompletion completion = new WorkCompletion(1);
        long deadline = Rig.deadline();
        while (ownerReceives.poll(completion) == 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        completion.at(0);
        assertThat(completion.isSuccess()).as("%s", completion).isTrue();
        assertThat(completion.id()).isEqualTo(9);
        assertThat(completion.byteLength()).isEqualTo(64);
        // rxe of Linux 6.1 invalidates the window, and does not report the key to user space.
        assertThat(completion.hasInvalidatedKey() || isOwnerRxe()).isTrue();
        if (completion.hasInvalidatedKey()) {
            assertThat(completion.invalidatedKey()).isEqualTo(key);
        }
        assertThat(completion.hasImmediate()).isFalse();
        Rig.check(received.memory(), 0, 64, 3);
        assertWriteRefused(START, key);
    }

    @Test
    @DisplayName("48: a peer that invalidates a key of no window ends the connection, and the window stays")
    void shouldRefuseToInvalidateAWrongKey() {
        int key = bind(START, LENGTH, ALL);
        owning.postReceive(new ReceiveChain(1, 1).receive(9).sge(owner.memory(64), 0, 64));
        assertThat(user.postSend(
                        chain().sendInvalidating(4, key ^ 0x40).sge(local, 0, 8).signaled()))
                .isEqualTo(1);
        assertThat(owner.awaitOne(ownerReceives).ok()).isFalse();
        assertThatThrownBy(region::close).isInstanceOf(VerbsException.class);
        window.close();
        region.close();
    }

    @Test
    @DisplayName("48: the key is refused on another connection of the owner, of the same protection domain or another")
    void shouldRefuseOnAnotherConnection() {
        int key = bind(START, LENGTH, ALL);
        ProtectionDomain otherDomain = owner.context.allocateProtectionDomain();
        QueuePair first = user;
        if (owner.context.attributes().windows() == WindowCapability.TYPE_2B) {
            user = using();
            rig.connectRemote(user, owner.pair(owner.queue(64), owner.queue(64)));
            assertWriteRefused(START, key);
        }
        user = using();
        rig.connectRemote(
                user, otherDomain.createQueuePair(QueuePair.options(QpType.RC, owner.queue(64), owner.queue(64))));
        assertWriteRefused(START, key);
        user = first;
        assertThat(use(write(START, key, 8)).ok()).isTrue();
    }

    @Test
    @DisplayName("48: closing a window ends the access, its region can be closed then, and both keys are refused")
    void shouldEndAccessWhenTheWindowIsClosed() {
        int key = bind(START, LENGTH, ALL);
        assertThat(use(write(START, key, 8)).ok()).isTrue();
        window.close();
        assertWriteRefused(START, key);
        region.close();
        for (int gone : new int[] {key, region.remoteKey()}) {
            user = using();
            rig.connectRemote(user, owner.pair(ownerQueue, ownerReceives));
            assertThat(use(write(START, gone, 8)).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        }
        assertThatThrownBy(() -> chain().bind(1, window, owner.memory(64), 0, 8))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    @DisplayName(
            "48: a region with a bound window is not closed, its window still works, and after the window it closes")
    void shouldNotCloseARegionWithABoundWindow() {
        int key = bind(START, LENGTH, ALL);
        assertThatThrownBy(region::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isIn(EBUSY, isOwnerRxe() ? EINVAL : EBUSY))
                .hasMessageContaining("ibv_dereg_mr")
                .hasMessageContaining("invalidate or close the window");
        Rig.fill(local.memory(), 0, 8, 5);
        assertThat(use(write(START, key, 8)).ok()).isTrue();
        Rig.check(region.memory(), START, 8, 5);
        invalidate(key);
        region.close();
        assertThatThrownBy(() -> region.memory().get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("48: closing a queue pair, or the domain, closes the bound windows first, in any order of making")
    void shouldCloseWindowsFirst() {
        bind(START, LENGTH, ALL);
        MemoryWindow unbound = owner.domain.allocateMemoryWindow();
        owning.close();
        assertThat(window.isClosed()).isTrue();
        assertThat(unbound.isClosed()).isFalse();
        region.close();
        // Here the window is older than the region.
        MemoryRegion younger = owner.domain.allocate(64, Access.LOCAL_WRITE, Access.MW_BIND);
        owning = owner.pair(ownerQueue, ownerReceives);
        user = using();
        rig.connectRemote(user, owning);
        assertThat(own(chain().bind(1, unbound, younger, 0, 64, ALL).signaled()).ok())
                .isTrue();
        owner.domain.close();
        assertThat(List.of(unbound.isClosed(), younger.isClosed(), owning.isClosed()))
                .containsOnly(true);
    }

    @Test
    @DisplayName("48: a bind and a send that carries the new key are posted in one chain")
    void shouldSendTheKeyBehindTheBind() {
        MemoryRegion message = owner.memory(64);
        MemoryRegion arrived = rig.memory(64);
        assertThat(user.postReceive(new ReceiveChain(1, 1).receive(1).sge(arrived, 0, 8)))
                .isEqualTo(1);
        SendChain chain = chain().bind(1, window, region, START, LENGTH, ALL);
        message.memory().set(ValueLayout.JAVA_INT, 0, window.nextRemoteKey());
        assertThat(own(chain.send(2).sge(message, 0, 8).signaled()).ok()).isTrue();
        rig.awaitSuccess(userReceives);
        int key = arrived.memory().get(ValueLayout.JAVA_INT, 0);
        assertThat(key).isEqualTo(window.remoteKey());
        Rig.fill(local.memory(), 0, 8, 5);
        assertThat(use(write(START, key, 8)).ok()).isTrue();
        Rig.check(region.memory(), START, 8, 5);
    }

    @Test
    @DisplayName("48: addresses of a zero-based window count from its first byte")
    void shouldCountFromTheWindow() {
        Rig.only(!isOwnerRxe(), "rxe has no zero-based windows");
        int key = bind(START, LENGTH, Access.REMOTE_WRITE, Access.ZERO_BASED);
        Rig.fill(local.memory(), 0, 16, 5);
        assertThat(use(chain().write(3, LENGTH - 16, key).sge(local, 0, 16).signaled())
                        .ok())
                .isTrue();
        Rig.check(region.memory(), START + LENGTH - 16, 16, 5);
        Rig.untouch(region);
        assertThat(use(chain().write(3, LENGTH - 15, key).sge(local, 0, 16).signaled())
                        .status())
                .isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(region.memory(), 0, BYTES);
    }

    @Test
    @DisplayName("48: after an invalidation is complete, no write of a stream that uses the key lands any more")
    void shouldLandNothingAfterInvalidation() throws InterruptedException {
        int key = bind(0, BYTES, ALL);
        Rig.fill(local.memory(), 0, BYTES, 9);
        WcStatus[] ended = new WcStatus[1];
        SendChain writes = write(0, key, BYTES);
        Thread stream = new Thread(() -> {
            do {
                ended[0] = use(writes).status();
            } while (ended[0] == WcStatus.SUCCESS);
        });
        stream.start();
        long deadline = Rig.deadline();
        while (region.memory().get(ValueLayout.JAVA_BYTE, BYTES - 1) == Rig.UNTOUCHED) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        invalidateWhileOthersPoll(key);
        Rig.untouch(region);
        stream.join(Rig.patienceMs());
        assertThat(ended[0]).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(region.memory(), 0, BYTES);
    }

    /** With a batch of its own: the rig's is for one thread. */
    private void invalidateWhileOthersPoll(int key) {
        assertThat(owning.postSend(chain().invalidate(2, key).signaled())).isEqualTo(1);
        WorkCompletion completion = new WorkCompletion(1);
        long deadline = Rig.deadline();
        while (ownerQueue.poll(completion) == 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        assertThat(completion.at(0).isSuccess()).as("%s", completion).isTrue();
    }

    @Test
    @DisplayName("48: a bind that cannot succeed is refused before it is posted, with what to do")
    void shouldRefuseWrongBinds() {
        MemoryRegion plain = owner.memory(64);
        assertThatThrownBy(() -> chain().bind(1, window, plain, 0, 8, Access.REMOTE_READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("register it with Access.MW_BIND");
        MemoryRegion readOnly = owner.domain.allocate(64, Access.MW_BIND);
        for (Access change : new Access[] {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
            assertThatThrownBy(() -> chain().bind(1, window, readOnly, 0, 8, change))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Access.LOCAL_WRITE");
        }
        assertThatThrownBy(() -> chain().bind(1, window, region, 0, 8, Access.LOCAL_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_READ");
        assertThatThrownBy(() -> chain().bind(1, window, region, 0, 0, ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("invalidate");
        assertThatThrownBy(() -> chain().bind(1, window, region, BYTES - 7, 8, ALL))
                .isInstanceOf(IndexOutOfBoundsException.class);
        SendChain twice = chain().bind(1, window, region, 0, 8, ALL);
        assertThatThrownBy(() -> twice.bind(2, window, region, 8, 8, ALL)).isInstanceOf(IllegalStateException.class);
        assertThat(own(twice.signaled()).ok()).isTrue();
        assertThatThrownBy(() -> owning.postSend(twice))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fill the chain anew");
        try (Rig other = Rig.open(Rig.REMOTE)) {
            MemoryWindow foreign = other.domain.allocateMemoryWindow();
            assertThatThrownBy(() -> chain().bind(1, foreign, region, 0, 8, ALL))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another context");
        }
        MemoryWindow closed = owner.domain.allocateMemoryWindow();
        SendChain late = chain().bind(1, closed, region, 0, 8, ALL).signaled();
        closed.close();
        assertThatThrownBy(() -> owning.postSend(late)).isInstanceOf(IllegalStateException.class);
        // The queue pair and the first window still work.
        assertThat(use(write(0, window.remoteKey(), 8)).ok()).isTrue();
    }

    @Test
    @DisplayName("48: a bound window cannot be bound again: the bind fails, and the key can be restored")
    void shouldRefuseToBindABoundWindow() {
        int key = bind(START, LENGTH, ALL);
        assertThat(own(chain().bind(1, window, region, 0, 8, ALL).signaled()).status())
                .isEqualTo(WcStatus.MW_BIND_ERR);
        assertThat(window.remoteKey()).isNotEqualTo(key);
        assertThatThrownBy(() -> window.restoreRemoteKey(key ^ 0x100)).isInstanceOf(IllegalArgumentException.class);
        window.restoreRemoteKey(key);
        assertThat(window.remoteKey()).isEqualTo(key);
    }

    @Test
    @DisplayName("48: a window of another protection domain is not bound, and its own queue pair binds it afterwards")
    void shouldRefuseAWindowOfAnotherDomain() {
        ProtectionDomain otherDomain = owner.context.allocateProtectionDomain();
        MemoryWindow other = otherDomain.allocateMemoryWindow();
        int before = other.remoteKey();
        assertThat(own(chain().bind(1, other, region, 0, 8, ALL).signaled()).status())
                .isEqualTo(WcStatus.MW_BIND_ERR);
        other.restoreRemoteKey(before);
        owning = otherDomain.createQueuePair(QueuePair.options(QpType.RC, ownerQueue, ownerReceives));
        user = using();
        rig.connectRemote(user, owning);
        region = otherDomain.allocate(BYTES, Access.LOCAL_WRITE, Access.MW_BIND);
        window = other;
        int key = bind(START, LENGTH, ALL);
        Rig.fill(local.memory(), 0, 8, 5);
        assertThat(use(write(START, key, 8)).ok()).isTrue();
        Rig.check(region.memory(), START, 8, 5);
    }

    @Test
    @DisplayName("48: an invalidation of a key of no window fails, and what was posted behind it is flushed")
    void shouldRefuseToInvalidateNothing() {
        assertThat(owning.postSend(chain().invalidate(1, window.remoteKey() ^ 0x40)
                        .signaled()
                        .invalidate(2, 0)
                        .signaled()))
                .isEqualTo(2);
        List<Rig.Done> done = owner.await(ownerQueue, 2);
        assertThat(done.getFirst().status()).isIn(WcStatus.MW_BIND_ERR, WcStatus.LOC_QP_OP_ERR);
        assertThat(done.getLast().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("48: a datagram queue pair binds nothing")
    void shouldRefuseDatagrams() {
        QueuePair datagrams = owner.pair(QueuePair.options(QpType.UD, ownerQueue, ownerReceives));
        datagrams.activate(Rig.PORT, 7, 1);
        assertThatThrownBy(() -> datagrams.postSend(
                        chain().bind(1, window, region, 0, 8, ALL).signaled()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("48: a device without memory windows refuses to make one, and names what to do instead")
    void shouldNameADeviceWithoutWindows() {
        Rig.only(Rig.isSoft(), "its windows cannot be switched off");
        try (Rig idle = Rig.open("idle0")) {
            assertThat(idle.context.attributes().windows()).isEqualTo(WindowCapability.NONE);
            assertThat(idle.context.attributes().maxMemoryWindows()).isZero();
            assertThatThrownBy(idle.domain::allocateMemoryWindow)
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(EOPNOTSUPP))
                    .hasMessageContaining("idle0 has no memory windows of type 2")
                    .hasMessageContaining("a region of its own");
        }
    }
}
