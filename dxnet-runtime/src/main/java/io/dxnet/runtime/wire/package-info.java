/**
 * The bytes of messages: header, exporter and importer over native memory (DXNet §V).
 */
package io.dxnet.runtime.wire;
