package io.dxnet.runtime.report;

import io.dxnet.Message;
import io.dxnet.spi.Valued;

/** How errors name a message: by its class, or by the type of its value. */
public final class MessageName {
    private MessageName() {}

    public static String of(Message message) {
        return message instanceof Valued<?> valued
                ? valued.what()
                : message.getClass().getName();
    }
}
