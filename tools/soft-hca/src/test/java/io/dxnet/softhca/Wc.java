package io.dxnet.softhca;

import java.util.ArrayList;
import java.util.List;

/** An {@code ibv_wc}, copied. */
record Wc(long wrId, int status, int opcode, int byteLen, int imm, int qpNum, int srcQp, int flags) {
    static Wc read(long at) {
        return new Wc(
                Memory.getLong(at),
                Memory.getInt(at + 8),
                Memory.getInt(at + 12),
                Memory.getInt(at + 20),
                Memory.getInt(at + 24),
                Memory.getInt(at + 28),
                Memory.getInt(at + 32),
                Memory.getInt(at + 36));
    }

    boolean ok() {
        return status == Ibv.IBV_WC_SUCCESS;
    }

    static List<Long> ids(List<Wc> completions) {
        List<Long> ids = new ArrayList<>();
        completions.forEach(wc -> ids.add(wc.wrId));
        return ids;
    }

    static List<Integer> statuses(List<Wc> completions) {
        List<Integer> statuses = new ArrayList<>();
        completions.forEach(wc -> statuses.add(wc.status));
        return statuses;
    }
}
