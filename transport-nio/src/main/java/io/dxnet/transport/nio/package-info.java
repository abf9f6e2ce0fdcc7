/**
 * The TCP transport: EthDXNet (DXNet §VIII to §XI). One selector agent drives all connections; a
 * connection has two socket channels, one for each direction, and flow-control bytes travel on the
 * direction of each that is not used otherwise.
 *
 * <pre>
 *   node A                                                              node B
 *   OutgoingPipe  == data ==&gt;  channel opened by A  == data ==&gt;   IncomingPipe
 *                 &lt;- flow control bytes, one per 1 to 255 steps --
 *   IncomingPipe  &lt;== data ==  channel opened by B  &lt;== data ==   OutgoingPipe
 *                 -- flow control bytes, one per 1 to 255 steps -&gt;
 * </pre>
 *
 * <p>Threads: the one that runs the {@link io.dxnet.transport.nio.SelectorAgent}; any application
 * thread in {@code sendNow}; the thread that calls {@code connect}; one acceptor thread for passive
 * handshakes. A registered channel is closed by the selector agent alone.
 */
package io.dxnet.transport.nio;
