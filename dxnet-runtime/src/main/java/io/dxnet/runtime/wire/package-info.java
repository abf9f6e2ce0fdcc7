/**
 * The bytes of messages: header, exporter and importer over native memory (DXNet §V).
 */
@NullMarked
package io.dxnet.runtime.wire;

import org.jspecify.annotations.NullMarked;
