package io.dxnet.runtime;

import io.dxnet.Message;
import io.dxnet.spi.Valued;

/** How errors name a message: by its class, or by the type of its value. */
final class MessageName {
    private MessageName() {}

    static String of(Message message) {
        return message instanceof Valued<?> valued
                ? valued.what()
                : message.getClass().getName();
    }
}
