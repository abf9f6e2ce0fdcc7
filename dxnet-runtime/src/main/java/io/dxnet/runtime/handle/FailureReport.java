package io.dxnet.runtime.handle;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import io.dxnet.RequestFailedException;
import io.dxnet.runtime.request.PendingRequest;

/**
 * Why messages were not handled: in place of the response to a request, or as a
 * message of its own for messages of one type.
 */
final class FailureReport extends Message {
    private static final int CHARS_MAX = 1000;
    /** The largest one. */
    static final int BYTES_MAX = 8 << 10;

    /** Lengths, and the marks of what was cut. */
    private static final int OTHER_BYTES = 32;
    /** Of the two texts, each of up to three bytes a character. */
    private static final int BYTES_PER_CHAR = 2 * 3;

    private int count;

    @SuppressWarnings("NullAway.Init") // by importObject()
    private String errorClass;

    @SuppressWarnings("NullAway.Init") // by importObject()
    private String text;

    /** An empty one, to be imported. */
    FailureReport() {}

    /**
     * Of messages of the given type.
     *
     * @param count how many
     * @param errorClass what was thrown; empty where nothing was
     * @param text its message
     * @param bytesMax the largest message: the texts are cut to fit
     */
    FailureReport(int destination, int type, int subtype, int count, String errorClass, String text, int bytesMax) {
        super(destination, type, subtype);
        this.count = count;
        int charsMax = Math.min(CHARS_MAX, (bytesMax - OTHER_BYTES) / BYTES_PER_CHAR);
        this.errorClass = cut(errorClass, charsMax);
        this.text = cut(text, charsMax);
    }

    private static String cut(String text, int charsMax) {
        return text.length() <= charsMax ? text : text.substring(0, charsMax) + " ...";
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeCompactInt(count);
        exporter.writeString(errorClass);
        exporter.writeString(text);
    }

    @Override
    @SuppressWarnings("NullAway") // checked at the end, before anything reads them
    public void importObject(Importer importer) {
        count = importer.readCompactInt();
        errorClass = importer.readString();
        text = importer.readString();
        if (count < 1 || errorClass == null || text == null) {
            throw new MessageFormatException("a failure report of " + count + " messages, or without a text");
        }
    }

    @Override
    public int sizeOfObject() {
        return ObjectSize.ofCompactInt(count) + ObjectSize.ofString(errorClass) + ObjectSize.ofString(text);
    }

    /** {@return how many messages were not handled, at least 1} */
    int count() {
        return count;
    }

    /** {@return why, in words} */
    String reason() {
        return errorClass.isEmpty() ? text : errorClass + ": " + text;
    }

    /** The requester's exception. */
    RequestFailedException exception(PendingRequest request) {
        return new RequestFailedException(
                "node " + request.destination() + " could not answer " + request.what() + ": " + reason(),
                request.destination(),
                errorClass);
    }
}
