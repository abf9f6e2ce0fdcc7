package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class MessagingEngineProviderTest {
    private final List<MemorySegment> memory = new ArrayList<>();

    /** Refuses rings above a size, after it has acquired memory of the pool. */
    private class Picky implements TransportProvider {
        private final String name;
        private final int ringBytesMax;
        private final UnaryOperator<DXNetConfig.Builder> smaller;

        Picky(String name, int ringBytesMax, UnaryOperator<DXNetConfig.Builder> smaller) {
            this.name = name;
            this.ringBytesMax = ringBytesMax;
            this.smaller = smaller;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int preference() {
            return 1;
        }

        @Override
        public Optional<String> unavailabilityCause(DXNetConfig config) {
            return Optional.empty();
        }

        @Override
        public Transport create(TransportContext context) {
            memory.add(context.pool().take(1).segment());
            if (context.config().ringBytes() > ringBytesMax) {
                throw new ConfigurationException(name + " is full");
            }
            return new LoopbackTransportProvider().create(context);
        }

        @Override
        public Optional<DXNetConfig> smaller(DXNetConfig config) {
            return smaller == null
                    ? Optional.empty()
                    : Optional.of(smaller.apply(config.toBuilder()).build());
        }
    }

    private static String chosen(DXNetConfig config, TransportProvider... providers) {
        MessagingEngine engine = MessagingEngineProvider.choose(List.of(providers), config, new NodeMap(0));
        engine.start(false);
        String description = engine.describe();
        engine.close();
        return description;
    }

    private static DXNetConfig config(String transport) {
        return DXNetConfig.builder().transport(transport).build();
    }

    private void assertAllFreed() {
        assertThat(memory).isNotEmpty().noneMatch(segment -> segment.scope().isAlive());
    }

    @Test
    void shouldPassOverATransportThatRefusesToBeMade() {
        assertThat(chosen(config("auto"), new Picky("full", 0, null), new Picky("free", 1 << 30, null)))
                .startsWith("free (not full: full is full); ");
        assertAllFreed();
    }

    /** Also where that transport would be chosen: on another machine it would not be. */
    @Test
    void shouldChooseNoTransportWithoutAProtectionThatIsConfigured() {
        TransportProvider protecting = new Picky("protecting", 1 << 30, null) {
            @Override
            public Optional<String> irreplaceable(DXNetConfig config) {
                return Optional.of("protecting.option=on");
            }
        };
        assertThatThrownBy(() -> chosen(config("auto"), new Picky("free", 1 << 30, null), protecting))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("protecting.option=on protects messages on transport=protecting alone");
        assertThat(chosen(config("protecting"), protecting)).startsWith("protecting; ");
    }

    @Test
    void shouldTryTheSmallerConfigurationFirst() {
        TransportProvider small = new Picky("small", 64 << 10, builder -> builder.ringBytes(64 << 10));
        assertThat(chosen(config("auto"), small, new Picky("free", 1 << 30, null)))
                .startsWith("small with less memory (not small: small is full); ");
        MessagingEngine engine = MessagingEngineProvider.choose(List.of(small), config("auto"), new NodeMap(0));
        assertThat(engine.config().ringBytes()).as("in force").isEqualTo(64 << 10);
        engine.start(false);
        engine.close();
        assertAllFreed();
    }

    @Test
    void shouldTellAllCausesWhereNothingIsLeft() {
        TransportProvider small = new Picky("small", 0, builder -> builder.ringBytes(64 << 10));
        assertThatThrownBy(() -> chosen(config("auto"), small, new Picky("full", 0, null)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("(not small: small is full, not small with less memory: small is full,"
                        + " not full: full is full)");
        assertAllFreed();
    }

    /** Only {@code auto} tries another one. */
    @Test
    void shouldFailWhereTheTransportIsNamed() {
        TransportProvider full = new Picky("full", 0, builder -> builder.ringBytes(64 << 10));
        assertThatThrownBy(() -> chosen(config("full"), full, new Picky("free", 1 << 30, null)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("full is full");
        assertThat(memory).hasSize(1);
        assertAllFreed();
    }

    /** No option of the JVM limits this memory, so the description has the limits. */
    @Test
    void shouldDescribeTheNativeMemoryThatItMayUse() {
        DXNetConfig config = DXNetConfig.builder()
                .incomingBytesMax(64 << 20)
                .maxMessageBytes(1 << 20)
                .maxConnections(7)
                .ringBytes(64 << 10)
                .build();
        assertThat(chosen(config, new Picky("any", 1 << 30, null)))
                .contains("receive memory up to 67108864 bytes (incomingBytesMax)")
                .contains("rings up to 458752 bytes (maxConnections=7 times ringBytes=65536)")
                .contains("not counted by -XX:MaxDirectMemorySize");
    }

    /** It may protect messages, with a mistake in its prefix. */
    @Test
    void shouldRefuseAnOptionOfNoTransport() {
        for (String transport : new String[] {"auto", "free"}) {
            DXNetConfig wrong = config(transport).toBuilder()
                    .transportOption("IB.security", "aes-gcm")
                    .build();
            assertThatThrownBy(() -> chosen(wrong, new Picky("free", 1 << 30, null)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("IB.security=aes-gcm: there is no such transport; keys with a prefix begin with one of"
                            + " free, ib, loopback, nio, shm");
        }
        DXNetConfig right = config("free").toBuilder()
                .transportOption("ib.port", "1")
                .transportOption("free.x", "1")
                .build();
        assertThat(chosen(right, new Picky("free", 1 << 30, null))).startsWith("free; ");
    }
}
