package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the device presents against what the header declares. */
class AbiTest {
    /** Declared in the header, not offered. */
    private static final Set<String> MISSING = Set.of("ibv_resolve_eth_l2_from_gid");

    @Test
    void shouldHaveTheConstantsOfTheHeader() throws ReflectiveOperationException {
        int compared = 0;
        for (Field field : Ibv.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                Object declared = verbs_h.class.getMethod(field.getName()).invoke(null);
                assertThat(field.getInt(null)).as(field.getName()).isEqualTo(((Number) declared).intValue());
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(100);
    }

    @Test
    void shouldHaveTheUnionsOffsets() {
        long union = ibv_send_wr.wr$offset();
        assertThat(Offsets.RDMA_REMOTE_ADDR).isEqualTo(union + ibv_send_wr.wr.rdma.remote_addr$offset());
        assertThat(Offsets.RDMA_RKEY).isEqualTo(union + ibv_send_wr.wr.rdma.rkey$offset());
        assertThat(Offsets.ATOMIC_REMOTE_ADDR).isEqualTo(union + ibv_send_wr.wr.atomic.remote_addr$offset());
        assertThat(Offsets.ATOMIC_COMPARE_ADD).isEqualTo(union + ibv_send_wr.wr.atomic.compare_add$offset());
        assertThat(Offsets.ATOMIC_SWAP).isEqualTo(union + ibv_send_wr.wr.atomic.swap$offset());
        assertThat(Offsets.ATOMIC_RKEY).isEqualTo(union + ibv_send_wr.wr.atomic.rkey$offset());
        assertThat(Offsets.UD_AH).isEqualTo(union + ibv_send_wr.wr.ud.ah$offset());
        assertThat(Offsets.UD_REMOTE_QPN).isEqualTo(union + ibv_send_wr.wr.ud.remote_qpn$offset());
        assertThat(Offsets.UD_REMOTE_QKEY).isEqualTo(union + ibv_send_wr.wr.ud.remote_qkey$offset());
    }

    @Test
    void shouldOfferEveryFunctionWithItsSignature() throws ReflectiveOperationException {
        int compared = 0;
        for (Method method : verbs_h.class.getMethods()) {
            String name = method.getName().replace("$descriptor", "");
            if (!method.getName().endsWith("$descriptor") || MISSING.contains(name)) {
                continue;
            }
            FunctionDescriptor declared = (FunctionDescriptor) method.invoke(null);
            Method offered = offered(name);
            List<Class<?>> carriers = new ArrayList<>();
            declared.argumentLayouts().forEach(layout -> carriers.add(carrier(layout)));
            assertThat(List.of(offered.getParameterTypes())).as(name).isEqualTo(carriers);
            assertThat(offered.getReturnType())
                    .as(name)
                    .isEqualTo(declared.returnLayout()
                            .<Class<?>>map(AbiTest::carrier)
                            .orElse(void.class));
            assertThat(C.symbol(name)).isNotZero();
            compared++;
        }
        assertThat(compared).isGreaterThan(40);
    }

    private static Class<?> carrier(MemoryLayout layout) {
        Class<?> carrier = ((ValueLayout) layout).carrier();
        return carrier.isPrimitive() ? carrier : long.class;
    }

    private static Method offered(String name) {
        for (Class<?> verbs : List.of(
                DeviceVerbs.class,
                QueryVerbs.class,
                ResourceVerbs.class,
                CompletionVerbs.class,
                QueueVerbs.class,
                AddressVerbs.class,
                NameVerbs.class)) {
            for (Method method : verbs.getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    return method;
                }
            }
        }
        throw new AssertionError("no " + name);
    }

    @Test
    void shouldNotFindInternalFunctions() {
        var symbols = new SoftVerbsProvider().symbols();
        assertThat(symbols.find("poll_cq")).isEmpty();
        assertThat(symbols.find("ibv_no_such_verb")).isEmpty();
        assertThat(new SoftVerbsProvider().symbols().find("ibv_open_device"))
                .isEqualTo(symbols.find("ibv_open_device"));
    }
}
