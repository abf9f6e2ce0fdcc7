package io.dxnet;

/** How the messages of a type are handled. */
public enum MessageTypeOption {
    /**
     * Ordered (DXNet §VI-A): the messages of one connection with this option are given to the
     * application one at a time, in the order in which they were sent. Without it, several handler
     * threads may deliver them at once.
     */
    EXCLUSIVE,
    /**
     * Each handler thread has one instance of the message class, filled anew for each message and
     * valid during the callback only: receiving allocates nothing. Not for responses.
     */
    REUSABLE
}
