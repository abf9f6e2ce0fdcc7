package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GidTest {
    private static final String IPV4 = "00000000000000000000ffff0a090001";
    private static final String LINK_LOCAL = "fe80000000000000022233fffe445566";
    private static final String GLOBAL = "20010db8000000000000000000000001";

    private static GidEntry entry(String hex, int index, GidType type, int interfaceIndex) {
        return new GidEntry(Gid.parseHex(hex), index, 1, type, interfaceIndex);
    }

    @Test
    @DisplayName("text, bytes, hex and addresses lead to the same GID")
    void shouldConvert() throws UnknownHostException {
        Gid gid = Gid.of(InetAddress.getByName("10.9.0.1"));
        assertThat(gid.toHex()).isEqualTo(IPV4);
        assertThat(gid.isIpv4Mapped()).isTrue();
        assertThat(gid).hasToString("::ffff:10.9.0.1");
        assertThat(Gid.of(gid.bytes())).isEqualTo(gid);
        assertThat(Gid.parseHex(LINK_LOCAL).isLinkLocal()).isTrue();
        assertThat(Gid.parseHex(GLOBAL)).hasToString("2001:db8:0:0:0:0:0:1");
        assertThatThrownBy(() -> Gid.parseHex("00")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("the GID chosen is RoCE v2 with an interface and an IPv4 address where there is one")
    void shouldChooseBest() {
        GidEntry best = entry(IPV4, 5, GidType.ROCE_V2, 3);
        assertThat(GidChoice.best(List.of(
                        entry(LINK_LOCAL, 0, GidType.ROCE_V1, 3),
                        entry(LINK_LOCAL, 1, GidType.ROCE_V2, 3),
                        entry(IPV4, 2, GidType.ROCE_V1, 3),
                        entry(IPV4, 3, GidType.ROCE_V2, 0),
                        entry(GLOBAL, 4, GidType.ROCE_V2, 3),
                        best,
                        entry(IPV4, 6, GidType.ROCE_V2, 3))))
                .isEqualTo(best);
    }

    @Test
    @DisplayName("without IPv4 a global IPv6 address precedes a link-local one; InfiniBand precedes RoCE v1")
    void shouldFallBack() {
        assertThat(GidChoice.best(
                                List.of(entry(LINK_LOCAL, 0, GidType.ROCE_V2, 1), entry(GLOBAL, 1, GidType.ROCE_V2, 1)))
                        .index())
                .isEqualTo(1);
        assertThat(GidChoice.best(List.of(entry(IPV4, 0, GidType.ROCE_V1, 1), entry(LINK_LOCAL, 1, GidType.IB, 0)))
                        .index())
                .isEqualTo(1);
        assertThatThrownBy(() -> GidChoice.best(List.of())).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    @DisplayName("a GID is found by its address, and a missing one is answered with those there are")
    void shouldFindByAddress() throws UnknownHostException {
        List<GidEntry> entries = List.of(entry(IPV4, 0, GidType.ROCE_V1, 1), entry(IPV4, 1, GidType.ROCE_V2, 1));
        assertThat(GidChoice.of(entries, InetAddress.getByName("10.9.0.1")).index())
                .isEqualTo(1);
        InetAddress other = InetAddress.getByName("10.9.0.2");
        assertThatThrownBy(() -> GidChoice.of(entries, other))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("10.9.0.2")
                .hasMessageContaining("::ffff:10.9.0.1");
    }
}
