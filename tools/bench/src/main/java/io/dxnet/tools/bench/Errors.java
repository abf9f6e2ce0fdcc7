package io.dxnet.tools.bench;

import io.dxnet.ErrorHandler;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Counts the errors at a node and keeps the text of the first. Any thread may report. */
final class Errors implements ErrorHandler {
    private static final int TEXT_MAX = 4000;

    private long count;
    private String first = "";

    @Override
    public synchronized void onError(String what, Throwable error) {
        if (count++ == 0) {
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            first = limit(what + ": " + trace);
        }
    }

    synchronized void add(String what) {
        if (count++ == 0) {
            first = limit(what);
        }
    }

    synchronized long count() {
        return count;
    }

    synchronized String first() {
        return first;
    }

    private static String limit(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + " ...";
    }
}
