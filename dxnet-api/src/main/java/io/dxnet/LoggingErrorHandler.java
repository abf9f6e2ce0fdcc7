package io.dxnet;

enum LoggingErrorHandler implements ErrorHandler {
    INSTANCE;

    private static final System.Logger LOGGER = System.getLogger("io.dxnet");

    @Override
    public void onError(String what, Throwable error) {
        LOGGER.log(System.Logger.Level.ERROR, what, error);
    }
}
