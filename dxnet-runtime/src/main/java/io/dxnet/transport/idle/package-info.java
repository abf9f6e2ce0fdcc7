/**
 * How threads wait: an idle strategy (spin, yield, park; DXNet §VII, Ibdxnet §7.2.5) and the signal
 * that ends it.
 *
 * <table>
 * <caption>The types</caption>
 * <tr><td>{@link io.dxnet.transport.idle.IdleStrategy}</td>
 *     <td>how long a thread spins and yields before it parks</td></tr>
 * <tr><td>{@link io.dxnet.transport.idle.IdleStrategies}</td>
 *     <td>which strategy applies: idle, blocked, waiting for a response</td></tr>
 * <tr><td>{@link io.dxnet.transport.idle.ThreadSignal}</td>
 *     <td>how a thread parks, and how others end that</td></tr>
 * <tr><td>{@link io.dxnet.transport.idle.ParkingPlace}</td>
 *     <td>a selector or a completion channel that a thread parks in</td></tr>
 * <tr><td>{@link io.dxnet.transport.idle.IdleWait}</td>
 *     <td>the wait of a transport's agent: a strategy, then a signal</td></tr>
 * <tr><td>{@link io.dxnet.transport.idle.BoundedWait}</td>
 *     <td>the wait for a condition that no thread signals</td></tr>
 * <tr><td>{@link io.dxnet.transport.idle.RunningTime}</td>
 *     <td>what of a wait counts: not the time in which the process stood still</td></tr>
 * </table>
 */
@NullMarked
package io.dxnet.transport.idle;

import org.jspecify.annotations.NullMarked;
