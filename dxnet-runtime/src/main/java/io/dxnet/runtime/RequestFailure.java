package io.dxnet.runtime;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.ObjectSize;
import io.dxnet.RequestFailedException;

/** The reason why a request cannot be answered, sent in place of the response. */
final class RequestFailure extends Message {
    private static final int CHARS_MAX = 1000;
    /** Lengths, and the marks of what was cut. */
    private static final int OTHER_BYTES = 32;
    /** Of the two texts, each of up to three bytes a character. */
    private static final int BYTES_PER_CHAR = 2 * 3;

    private String errorClass;
    private String text;

    /** An empty one, to be imported. */
    RequestFailure() {}

    /**
     * Of a request of the given type.
     *
     * @param errorClass what was thrown; empty where nothing was
     * @param text its message
     * @param bytesMax the largest message: the texts are cut to fit
     */
    RequestFailure(int destination, int type, int subtype, String errorClass, String text, int bytesMax) {
        super(destination, type, subtype);
        int charsMax = Math.min(CHARS_MAX, (bytesMax - OTHER_BYTES) / BYTES_PER_CHAR);
        this.errorClass = cut(errorClass, charsMax);
        this.text = cut(text, charsMax);
    }

    private static String cut(String text, int charsMax) {
        return text.length() <= charsMax ? text : text.substring(0, charsMax) + " ...";
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeString(errorClass);
        exporter.writeString(text);
    }

    @Override
    public void importObject(Importer importer) {
        errorClass = importer.readString();
        text = importer.readString();
    }

    @Override
    public int sizeOfObject() {
        return ObjectSize.ofString(errorClass) + ObjectSize.ofString(text);
    }

    /** The requester's exception. */
    RequestFailedException exception(PendingRequest request) {
        String separator = errorClass == null || errorClass.isEmpty() ? "" : errorClass + ": ";
        return new RequestFailedException(
                "node " + request.destination + " could not answer " + request.what + ": " + separator + text,
                request.destination,
                errorClass == null ? "" : errorClass);
    }
}
