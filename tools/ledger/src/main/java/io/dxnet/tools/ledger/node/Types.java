package io.dxnet.tools.ledger.node;

import io.dxnet.DXNet;
import io.dxnet.MessageType;
import io.dxnet.MessageTypeOption;
import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Stream;
import java.lang.invoke.MethodHandles;

/**
 * The message types: one for each kind; an empty message's type is its
 * sender's run, its subtype the lane.
 */
final class Types {
    static final int DATA = 42;
    /** Of {@link Kind#VALUE}. */
    static final MessageType<BookedValue> VALUE =
            MessageType.of(43 << 8, BookedValue.class, MethodHandles.lookup()).ordered();

    static final int RESPONSE = Kind.values().length;
    private static final int EMPTY = 100;

    private Types() {}

    static void register(DXNet net) {
        net.registerMessageType(
                DATA, Kind.ORDERED.ordinal(), () -> new DataMessage(Kind.ORDERED), MessageTypeOption.EXCLUSIVE);
        net.registerMessageType(
                DATA,
                Kind.REUSED.ordinal(),
                () -> new DataMessage(Kind.REUSED),
                MessageTypeOption.EXCLUSIVE,
                MessageTypeOption.REUSABLE);
        net.registerMessageType(DATA, Kind.LOOSE.ordinal(), () -> new DataMessage(Kind.LOOSE));
        net.registerMessageType(DATA, Kind.REQUEST.ordinal(), BookedRequest::new);
        net.registerMessageType(DATA, RESPONSE, BookedResponse::new);
        for (int run = 0; run < Stream.RUNS_OF_EMPTY; run++) {
            for (int lane = 0; lane < Stream.LANES_MAX; lane++) {
                net.registerMessageType(EMPTY + run, lane, EmptyMessage::new, MessageTypeOption.EXCLUSIVE);
            }
        }
    }

    /** The type of an empty message of a run. */
    static int empty(int run) {
        return EMPTY + run % Stream.RUNS_OF_EMPTY;
    }

    /** The run of an empty message, modulo {@link Stream#RUNS_OF_EMPTY}. */
    static int runOfEmpty(int type) {
        return type - EMPTY;
    }
}
