package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.raw.verbs_h;
import io.dxnet.ibverbs.spi.VerbsCalls;
import io.dxnet.ibverbs.spi.VerbsProvider;
import io.dxnet.softhca.SoftVerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Each verb through JNI, on the software device and on functions of libc. */
@ParameterizedClass
@ValueSource(strings = {"jni", "upcall"})
class JniCallsTest {
    private static final int EBADF = 9;
    private static final int MESSAGES = 8;

    private final List<VerbsCalls> all =
            ServiceLoader.load(VerbsCalls.class).stream().map(Provider::get).toList();
    private final String name;
    private final VerbsCalls calls;

    JniCallsTest(String name) {
        this.name = name;
        calls = all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void prepare() {
        try {
            calls.prepare();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort(e.getMessage());
        }
    }

    @Test
    @DisplayName("ServiceLoader finds the calls by their name")
    void shouldBeFoundByName() {
        assertThat(CallsChoice.named(name, all)).isSameAs(calls);
    }

    @Test
    @DisplayName("a chain of receives, a chain of sends and their completions are one call each")
    void shouldCarryMessages() {
        try (VerbsRig rig = new VerbsRig("soft0")) {
            DataPath path = new DataPath(rig.context.address(), "soft0", new SoftVerbsProvider(), calls);
            SendChain sends = rig.sends(MESSAGES);
            ReceiveChain receives = rig.receives(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                rig.region.memory().set(ValueLayout.JAVA_LONG, (long) i * VerbsRig.MESSAGE_BYTES, 1000 + i);
            }

            assertThat(path.requestNotification(rig.received.address(), 0)).isZero();
            assertThat(path.postSharedReceive(rig.shared.address(), receives.firstRequest(), receives.badRequest()))
                    .isZero();
            assertThat(path.postSend(rig.sender.address(), sends.firstRequest(), sends.badRequest()))
                    .isZero();

            WorkCompletion completions = new WorkCompletion(MESSAGES);
            assertThat(path.pollCq(rig.received.address(), MESSAGES, completions.base()))
                    .isEqualTo(MESSAGES);
            assertThat(path.pollCq(rig.received.address(), MESSAGES, completions.base()))
                    .isZero();
            assertThat(path.pollCq(rig.sent.address(), MESSAGES, completions.base()))
                    .isOne();
            for (int i = 0; i < MESSAGES; i++) {
                long received = (256L + i) * VerbsRig.MESSAGE_BYTES;
                assertThat(rig.region.memory().get(ValueLayout.JAVA_LONG, received))
                        .isEqualTo(1000 + i);
            }
        }
    }

    @Test
    @DisplayName("a receive of a queue pair that has a shared queue is refused, and the refused request is named")
    void shouldReportTheRefusedRequest() {
        try (VerbsRig rig = new VerbsRig("soft0")) {
            DataPath path = new DataPath(rig.context.address(), "soft0", new SoftVerbsProvider(), calls);
            ReceiveChain receives = rig.receives(1);
            assertThat(path.postReceive(rig.sender.address(), receives.firstRequest(), receives.badRequest()))
                    .isEqualTo(verbs_h.EINVAL());
            assertThat(Memory.getLong(receives.badRequest())).isEqualTo(receives.firstRequest());
        }
    }

    @Test
    @DisplayName("a library whose verbs are called through JNI opens a device and queries it")
    void shouldCallControlPath() {
        Library library = new Library(new SoftVerbsProvider(), calls);
        try (Arena arena = Arena.ofConfined()) {
            long count = arena.allocate(8).address();
            long devices = library.getDeviceList.pointer(errno -> "", count);
            assertThat(Memory.getInt(count)).isPositive();
            long context = library.openDevice.pointer(errno -> "", Memory.getLong(devices));
            long port = arena.allocate(64, 8).address();
            assertThat(library.queryPort.errnoOf(context, 1, port)).isZero();
            assertThat(library.queryPort.errnoOf(context, 200, port)).isEqualTo(verbs_h.EINVAL());
            library.closeDevice.status(errno -> "", context);
            library.freeDeviceList.call(devices);
        }
    }

    @Test
    @DisplayName("errno is that of the call, and a result of 32 bits keeps its sign")
    void shouldReportErrno() {
        VerbsProvider provider = new VerbsProvider() {
            @Override
            public String name() {
                return "libc";
            }

            @Override
            public boolean offers(String deviceName) {
                return false;
            }

            @Override
            public java.lang.foreign.SymbolLookup symbols() {
                return Linker.nativeLinker().defaultLookup();
            }

            @Override
            public boolean upcalls() {
                return false;
            }
        };
        NativeFunction close = new NativeFunction(
                provider,
                calls,
                "close",
                provider.symbols().find("close").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        for (long wrong : List.of(-1L, 0x7fff_ffffL)) {
            assertThat(close.errnoOf(wrong)).isEqualTo(EBADF);
        }
    }
}
