/** A key-value store on DXNet and its binding to the Yahoo! Cloud Serving Benchmark. */
package io.dxnet.tools.ycsb;
