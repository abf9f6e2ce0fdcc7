package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceTest {
    @Test
    void shouldListDevicesWithTheirFields() {
        long count = LibC.calloc(8);
        assertThat(new SoftVerbsProvider().offers("soft7")).isTrue();
        assertThat(new SoftVerbsProvider().offers("soft")).isFalse();
        assertThat(new SoftVerbsProvider().offers("idle0")).isFalse();
        assertThat(new SoftVerbsProvider().offers("mlx5_0")).isFalse();
        long list = C.pointer("ibv_get_device_list", count);
        List<String> names = new ArrayList<>();
        int listed = Memory.getInt(count);
        for (int i = 0; i < listed; i++) {
            long device = Memory.getLong(list + i * 8L);
            assertThat(C.pointer("ibv_get_device_name", device)).isEqualTo(device + 24);
            assertThat(C.pointer("ibv_get_device_guid", device)).isNotZero();
            names.add(new String(Memory.getBytes(device + 24, 16)).split("\0")[0]);
        }
        assertThat(Memory.getLong(list + listed * 8L)).isZero();
        C.run("ibv_free_device_list", list);
        assertThat(names).contains("soft0", "soft1", "soft7").doesNotContain("idle0");
        assertThat(C.pointer("ibv_get_device_list", 0L)).isNotZero();
    }

    @Test
    void shouldPresentTheContextsFields() {
        try (Node node = new Node("soft0")) {
            long context = node.context;
            assertThat(Memory.getLong(Memory.getLong(context) + 24)).isEqualTo(Memory.getLong(name("soft0")));
            for (int operation : new int[] {64, 72, 80, 96, 104, 168, 208, 216}) {
                assertThat(Memory.getLong(context + operation)).isNotZero();
            }
            assertThat(Memory.getInt(context + 268)).isPositive();
            assertThat(Memory.getInt(context + 272)).isEqualTo(SoftDevice.COMPLETION_VECTORS);
            assertThat(Memory.getLong(context + 320)).isEqualTo(-1);
            assertThat(Memory.getLong(context - 8)).isEqualTo(648);
            assertThat(Memory.getLong(context - 120)).as("create_cq_ex").isNotZero();
            assertThat(Memory.getLong(context - 40)).as("create_srq_ex").isZero();
            assertThat(Memory.getLong(node.pd)).isEqualTo(context);
            assertThat(C.pointer(Memory.getLong(context + 64), node.pd, 1)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EOPNOTSUPP);
        }
    }

    private static long name(String text) {
        long at = LibC.calloc(64);
        Memory.putString(at, text, 64);
        return at;
    }

    @Test
    void shouldAnswerQueries() {
        try (Node node = new Node("soft1");
                Node infiniband = new Node("softib0")) {
            long buffer = node.memory(1024);
            assertThat(C.status("ibv_query_device", node.context, buffer)).isZero();
            assertThat(C.status(Memory.getLong(node.context - 104), node.context, 0L, buffer, 400L))
                    .isZero();
            assertThat(C.status("ibv_query_port", node.context, (byte) 1, buffer))
                    .isZero();
            assertThat(Memory.getInt(buffer)).isEqualTo(Ibv.IBV_PORT_ACTIVE);
            assertThat(Memory.getByte(buffer + 46)).isEqualTo((byte) Ibv.IBV_LINK_LAYER_ETHERNET);
            assertThat(C.status("ibv_query_port", node.context, (byte) 2, buffer))
                    .isEqualTo(Ibv.EINVAL);
            assertThat(C.status("_ibv_query_gid_ex", node.context, 1, 1, buffer, 0, 32L))
                    .isZero();
            assertThat(Memory.getLong(buffer + 8)).isEqualTo(Long.reverseBytes(0xffff_7f4d_0002L));
            assertThat(Memory.getInt(buffer + 24)).isEqualTo(Ibv.IBV_GID_TYPE_ROCE_V2);
            assertThat(C.status("_ibv_query_gid_ex", node.context, 1, 5, buffer, 0, 32L))
                    .isEqualTo(Ibv.ENODATA);
            assertThat(C.status("ibv_query_gid", node.context, (byte) 1, 5, buffer))
                    .isZero();
            assertThat(C.status("ibv_query_gid", node.context, (byte) 1, 99, buffer))
                    .isEqualTo(-1);
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
            assertThat(C.pointer("_ibv_query_gid_table", node.context, buffer, 32L, 0, 32L))
                    .isEqualTo(2);
            assertThat(C.pointer("_ibv_query_gid_table", node.context, buffer, 1L, 0, 32L))
                    .isEqualTo(-Ibv.EINVAL);
            assertThat(C.status("ibv_query_pkey", node.context, (byte) 1, 0, buffer))
                    .isZero();
            assertThat(Memory.getShort(buffer)).isEqualTo((short) 0xffff);
            assertThat(C.status("ibv_query_port", infiniband.context, (byte) 1, buffer))
                    .isZero();
            assertThat(Memory.getByte(buffer + 46)).isEqualTo((byte) Ibv.IBV_LINK_LAYER_INFINIBAND);
            assertThat(Memory.getShort(buffer + 34)).isEqualTo((short) 1);
        }
    }

    @Test
    void shouldNameNumbers() {
        assertThat(text(C.pointer("ibv_wc_status_str", 12))).isEqualTo("transport retry counter exceeded");
        assertThat(text(C.pointer("ibv_event_type_str", 15))).isEqualTo("SRQ limit reached");
        assertThat(text(C.pointer("ibv_node_type_str", 1))).isEqualTo("InfiniBand channel adapter");
        assertThat(text(C.pointer("ibv_port_state_str", 99))).isEqualTo("unknown");
    }

    private static String text(long address) {
        StringBuilder text = new StringBuilder();
        for (long at = address; Memory.getByte(at) != 0; at++) {
            text.append((char) Memory.getByte(at));
        }
        return text.toString();
    }

    @Test
    void shouldRefuseStrangePointers() {
        try (Node node = new Node("soft0")) {
            for (long stranger : new long[] {0, 1, -1, 4096, node.context + 8, node.pd + 1, Long.MIN_VALUE}) {
                assertThat(C.pointer("ibv_alloc_pd", stranger)).isZero();
                assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
                assertThat(C.status("ibv_dealloc_pd", stranger)).isEqualTo(Ibv.EINVAL);
                assertThat(C.status("ibv_close_device", stranger)).isEqualTo(-1);
                assertThat(DataVerbs.post_send(stranger, 0, 0)).isEqualTo(Ibv.EINVAL);
                assertThat(DataVerbs.poll_cq(stranger, 1, 0)).isNegative();
            }
        }
    }

    @Test
    void shouldDoNothingFastOnAnIdleDevice() {
        assertThat(new IdleVerbsProvider().offers("idle0")).isTrue();
        SoftDevice device = Devices.find("idle0");
        long context = C.pointer("ibv_open_device", device.struct());
        try {
            for (int operation : new int[] {96, 104, 168, 208, 216}) {
                assertThat(C.status(Memory.getLong(context + operation), 1L, 2L, 3L))
                        .isZero();
            }
            assertThat(Memory.getLong(context + 96))
                    .isEqualTo(LibC.function("pthread_mutexattr_destroy").address());
        } finally {
            assertThat(C.status("ibv_close_device", context)).isZero();
        }
    }
}
