/** What the benchmarks of the verbs binding share, and their entry. */
package io.dxnet.tools.verbs;
