package io.dxnet.softhca.capture;

import java.io.IOException;

/** A capture that cannot be read on: the message names what is wrong, and where. */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1L;

    CaptureException(String message) {
        super(message);
    }
}
