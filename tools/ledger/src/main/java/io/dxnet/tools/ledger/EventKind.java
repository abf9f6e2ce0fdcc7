package io.dxnet.tools.ledger;

/** What happens to nodes while they send. */
enum EventKind {
    /** A node ends its connection to another. */
    DISCONNECT,
    /** A node is closed under load and started again. */
    RESTART,
    /** The same, on another port: the node maps of the others change. */
    MOVE,
    /** A node's process is killed and started again. */
    KILL,
    /** A node's process is stopped for a while. */
    STOP,
    /** The callbacks of a node sleep for a while. */
    SLOW,
    /** A stranger connects to a node's port and sends random bytes. */
    GARBAGE,
    /** Strangers connect to a node's port and send nothing, or part of a hello. */
    HALF_OPEN,
    /** A link, or a software device, loses, delays or fails requests for a while. */
    LINK_FAULT
}
