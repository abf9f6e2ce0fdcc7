/** Remote memory: regions that this node shares, and those of other nodes. */
@NullMarked
package io.dxnet.runtime.memory;

import org.jspecify.annotations.NullMarked;
