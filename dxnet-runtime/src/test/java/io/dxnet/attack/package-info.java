/**
 * What strangers, thieves of a node id and machines in the middle can do to a node, in each mode of
 * security: an attack succeeds without security where it can, so that it is a real one, and fails
 * with it. A transport's tests extend {@link io.dxnet.attack.AttackContract}.
 */
package io.dxnet.attack;
