/**
 * The shared-memory transport: the nodes of one host. A direction of a connection is a ring in a
 * mapped file, and a TCP channel, by which it is opened, which wakes up a node that sleeps, and
 * whose end shows the end of the other process.
 *
 * <pre>
 *   node A                                                                       node B
 *   outgoing ring -- copy --&gt; RingWriter [ shared ring ] RingReader -- copy --&gt; buffer
 *                                    takeSteps  &lt;- steps, signals --  confirm
 *                                    SideChannel &lt;- wake-ups -&gt; SideChannel
 * </pre>
 *
 * <p>Threads: the one that runs the {@link io.dxnet.transport.shm.ShmAgent}; any application thread
 * in {@code sendNow}; the thread that calls {@code connect}; one acceptor thread for passive
 * handshakes. A registered channel is closed, and a ring unmapped, by the agent alone.
 */
package io.dxnet.transport.shm;
