/**
 * What the stages share of one connection to another node: its life, the receiving half of flow
 * control, and the fields that one thread writes and others read.
 */
@NullMarked
package io.dxnet.runtime.peer;

import org.jspecify.annotations.NullMarked;
