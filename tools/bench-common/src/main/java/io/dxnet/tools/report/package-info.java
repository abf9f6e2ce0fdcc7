/** What the benchmarks' reports share. */
package io.dxnet.tools.report;
