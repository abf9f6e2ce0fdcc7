package io.dxnet;

/** A configuration value is out of its range; the message names key, value and allowed range. */
public class ConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public ConfigurationException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
