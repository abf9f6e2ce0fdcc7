package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is undone where a call fails half way, so that closing works and nothing is lost. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CleanupTest {
    private final FakeDriver driver = new FakeDriver();
    private Context context;
    private ProtectionDomain domain;

    @BeforeEach
    void open() {
        context = driver.open();
        domain = context.allocateProtectionDomain();
    }

    @AfterEach
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void close() {
        context.close();
        driver.close();
    }

    private QueuePair pair(CompletionQueue queue) {
        QueuePair pair = domain.createQueuePair(
                QueuePair.options(QpType.RC, queue, queue).send(16, 1).receive(16, 1));
        pair.modify(QpAttributes.to(QpState.INIT).pkeyIndex(0).port(1).access(Access.LOCAL_WRITE));
        return pair;
    }

    @Test
    @DisplayName("an error inside a call of the data path leaves its chain and batch free, and queues close")
    void shouldLeaveDataPath() {
        CompletionQueue queue = context.createCompletionQueue(16);
        QueuePair pair = pair(queue);
        pair.modify(QpAttributes.to(QpState.ERR));
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(16, 1);
        SendChain sends = new SendChain(2, 1).send(1).send(2).signaled();
        ReceiveChain receives = new ReceiveChain(1, 1).receive(1);
        WorkCompletion batch = new WorkCompletion(4);

        assertLeaves(() -> pair.postSend(sends));
        assertLeaves(() -> pair.postSend(sends, 1));
        assertLeaves(() -> pair.postReceive(receives));
        assertLeaves(() -> shared.post(receives));
        assertLeaves(() -> queue.poll(batch));

        queue.close();
        shared.close();
        assertThat(driver.calls("ibv_destroy_qp")).isEqualTo(1);
    }

    private void assertLeaves(ThrowingCallable call) {
        driver.failure = new StackOverflowError("inside");
        assertThatThrownBy(call).isSameAs(driver.failure);
        driver.failure = null;
        assertThatCode(call).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("a channel whose descriptor is of no use is destroyed, and leaves no descriptor behind")
    void shouldDestroyUnusableChannel() throws IOException {
        assertFailsAndDestroys(() -> driver.channelFd = -1, context::createCompletionChannel, "fcntl");
        assertFailsAndDestroys(
                () -> driver.foreignContext = 8, context::createCompletionChannel, "ibv_comp_channel.context");
        assertThat(driver.calls("ibv_destroy_comp_channel")).isEqualTo(2);
    }

    private void assertFailsAndDestroys(Runnable damage, ThrowingCallable create, String why) throws IOException {
        long before = descriptors();
        damage.run();
        assertThatThrownBy(create).hasMessageContaining(why);
        driver.channelFd = driver.eventFd();
        driver.foreignContext = 0;
        assertThat(descriptors()).isEqualTo(before);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    @Test
    @DisplayName("a call with an object that is null or another context's leaves the others free to close")
    void shouldLeaveWhatWasEntered() {
        ProtectionDomain own = context.allocateProtectionDomain();
        assertThatThrownBy(() -> own.createParentDomain(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Resource.enterAll(own, null)).isInstanceOf(NullPointerException.class);
        try (Context other = driver.open()) {
            ThreadDomain foreign = other.allocateThreadDomain();
            assertThatThrownBy(() -> own.createParentDomain(foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another context");
        }
        own.createParentDomain(context.allocateThreadDomain());
        own.close();
        assertThat(own.isClosed()).isTrue();
    }

    @Test
    @DisplayName("a close that fails behind the library's destroy does not destroy again")
    void shouldDestroyOnce() throws IOException {
        assertThatThrownBy(() -> Posix.close(-1)).hasMessageContaining("EBADF"); // loads all classes
        Set<Path> before = eventDescriptors();
        CompletionChannel channel = context.createCompletionChannel();
        Set<Path> made = eventDescriptors();
        made.removeAll(before);
        int wakeFd = Integer.parseInt(made.iterator().next().getFileName().toString());
        Posix.close(wakeFd);

        assertThatThrownBy(channel::close).hasMessageContaining("EBADF");
        assertThat(channel.isClosed()).isTrue();
        assertThat(Posix.eventDescriptor()).as("free again").isEqualTo(wakeFd);
        channel.close();

        assertThat(driver.calls("ibv_destroy_comp_channel")).isEqualTo(1);
    }

    @Test
    @DisplayName("a native object that Java cannot use is destroyed, whatever it is")
    void shouldDestroyUnusableObjects() {
        CompletionQueue queue = context.createCompletionQueue(16);
        AddressVector vector = new AddressVector(1, 7, null, 0, 64, 0, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);
            driver.foreignContext = 8;
            assertDestroys("ibv_dealloc_pd", context::allocateProtectionDomain);
            assertDestroys("ibv_destroy_cq", () -> context.createCompletionQueue(16));
            assertDestroys("ibv_destroy_srq", () -> domain.createSharedReceiveQueue(16, 1));
            assertDestroys("ibv_destroy_qp", () -> domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue)));
            assertDestroys("ibv_destroy_ah", () -> domain.createAddressHandle(vector));
            assertDestroys("ibv_dealloc_mw", domain::allocateMemoryWindow);
            assertDestroys("ibv_dereg_mr", () -> domain.register(memory, Access.LOCAL_WRITE));
        }
        driver.foreignContext = 0;
    }

    @Test
    @DisplayName("a region that Java cannot use is deregistered before its memory is freed")
    void shouldDeregisterBeforeFreeing() {
        driver.foreignContext = 8;
        assertDestroys("ibv_dereg_mr", () -> domain.allocate(64, Access.LOCAL_WRITE));
        driver.foreignContext = 0;
    }

    private void assertDestroys(String destroy, ThrowingCallable create) {
        int before = driver.calls(destroy);
        assertThatThrownBy(create).hasMessageContaining("is not the context it was made in");
        assertThat(driver.calls(destroy)).as(destroy).isEqualTo(before + 1);
    }

    private static Set<Path> eventDescriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(CleanupTest::isEvent).collect(Collectors.toSet());
        }
    }

    private static boolean isEvent(Path entry) {
        try {
            return Files.readSymbolicLink(entry).toString().contains("eventfd");
        } catch (IOException e) {
            return false; // of the listing itself
        }
    }
}
