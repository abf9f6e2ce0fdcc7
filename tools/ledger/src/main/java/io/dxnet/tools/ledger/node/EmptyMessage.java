package io.dxnet.tools.ledger.node;

import io.dxnet.Message;

/** A message without payload. */
final class EmptyMessage extends Message {
    EmptyMessage() {}

    EmptyMessage(int receiver, int run, int lane) {
        super(receiver, Types.empty(run), lane);
    }
}
