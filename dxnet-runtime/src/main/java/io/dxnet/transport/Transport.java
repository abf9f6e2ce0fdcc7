package io.dxnet.transport;

import io.dxnet.DXNetException;
import io.dxnet.transport.memory.OneSidedMemory;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries the bytes of connections (DXNet §III-C): connects and closes them, sends what
 * their {@link OutgoingRingBuffer} holds, and offers received buffers to the engine.
 * It is notified when data or flow-control data was posted.
 *
 * <p>The contract that the engine relies on:
 *
 * <ul>
 *   <li>The bytes of a connection arrive whole, once and in order, cut into buffers anywhere;
 *       or the connection is reported lost with {@link TransportContext#connectionLost},
 *       after which nothing of it arrives any more.
 *   <li>Received data that the engine refuses ({@link TransportContext#offer} is
 *       false) is kept. The transport stops reading that connection's data until the
 *       engine accepts it; nothing is dropped.
 *   <li>Flow-control data overtakes data and is delivered even when the data
 *       direction is stuck.
 *   <li>Bytes of the ring are confirmed when the memory may be written again, not earlier.
 *   <li>{@link #dataPosted}, {@link #sendNow}, {@link #flowControlPosted} and
 *       {@link #close} never block.
 * </ul>
 */
public interface Transport extends AutoCloseable {
    /** How a connection is closed. */
    enum Close {
        /**
         * Both nodes have handled everything that was sent to them: send the signals that were
         * posted, then linger (in the background, for a bounded time) until the other node has
         * read them and hangs up too.
         */
        IN_ORDER,
        /** At once. */
        AT_ONCE
    }

    /**
     * {@return the stages that drive this transport, which the engine runs:
     * the same list each time, at least one agent}
     */
    List<Agent> agents();

    /**
     * Listens for other nodes. Called once, before the agents run.
     *
     * @throws io.dxnet.ConfigurationException when it can't
     */
    void start();

    /**
     * Makes the direction from this node to the connection's node usable. Called once
     * for a connection, on a thread of the application or of the engine that may block,
     * never on one that runs an agent. Not called where the other node opened both
     * directions ({@link TransportContext#incomingReady}).
     *
     * @param connection new, or so far used in the other direction only
     * @param address of the other node, null when the node map has none
     * @param deadlineNs {@link System#nanoTime()} by which it must have returned
     * @throws DXNetException {@link io.dxnet.NodeUnreachableException} with the reason
     */
    void connect(Connection connection, @Nullable InetSocketAddress address, long deadlineNs) throws DXNetException;

    /**
     * Data was committed to the connection's ring. Any thread, often: returns fast when
     * the connection is already known to have data.
     *
     * @param connection connected
     */
    void dataPosted(Connection connection);

    /**
     * Sends what the ring holds, as far as the wire accepts it, on the calling thread, unless
     * another thread is doing that (send by caller). Any thread. The agent sends the rest later.
     *
     * @param connection connected
     * @return whether anything was sent
     */
    boolean sendNow(Connection connection);

    /**
     * {@link Connection#takeFlowControl} has something to confirm to the other node,
     * or {@link Connection#takeSignals} has signals. Any thread.
     *
     * @param connection whose stream from the other node is open
     */
    void flowControlPosted(Connection connection);

    /**
     * Closes a connection. Any thread; may be called more than once. As soon as
     * the transport uses neither ring nor pool on its behalf any more, it calls
     * {@link Connection#released}: exactly once, on any thread.
     *
     * @param connection the connection
     * @param close how
     */
    void close(Connection connection, Close close);

    /** {@return a line about the choices that it made: addresses, devices, sizes} */
    String describe();

    /**
     * {@return received buffers of its own, besides those of {@link TransportContext#pool()},
     * that the engine holds: a snapshot, 0 where there are none} Any thread.
     */
    default long buffersInUse() {
        return 0;
    }

    /**
     * {@return its one-sided access; null where it has none: the engine then carries operations on
     * remote memory out by messages} The engine closes it before
     * {@link #close}.
     */
    default @Nullable OneSidedMemory oneSidedMemory() {
        return null;
    }

    /**
     * Stops listening and hangs up on all peers. Called once; where a callback has
     * not returned, agents still run.
     */
    @Override
    void close();

    /**
     * Frees everything, the memory of received buffers too. Called once, after
     * {@link #close}, when no agent runs any more.
     */
    default void free() {}
}
