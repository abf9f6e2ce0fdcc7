package io.dxnet.runtime.report;

/** The texts of exceptions of the application, whose methods may throw in turn. */
public final class ErrorText {
    private ErrorText() {}

    /** {@return the message of an exception} */
    public static String messageOf(Throwable error) {
        try {
            return String.valueOf(error.getMessage());
        } catch (Throwable e) {
            return "its getMessage failed";
        }
    }

    /** {@return class and message of an exception} */
    public static String textOf(Throwable error) {
        return error.getClass().getName() + ": " + messageOf(error);
    }
}
