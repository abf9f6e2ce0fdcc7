package io.dxnet.tools.ledger.node;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** Exceptions and stack traces as text. */
final class Traces {
    private Traces() {}

    static String of(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** An exception without its stack trace. */
    static String line(Throwable error) {
        return error.getClass().getSimpleName() + ": " + error.getMessage();
    }

    /** All threads of this process. */
    static String ofAll() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            text.append(each.getKey().getName()).append('\n');
            for (StackTraceElement element : each.getValue()) {
                text.append("    ").append(element).append('\n');
            }
        }
        return text.toString();
    }
}
