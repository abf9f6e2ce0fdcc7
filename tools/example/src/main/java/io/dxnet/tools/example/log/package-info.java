/**
 * A log that one writer replicates to several followers, in their memory. Start at
 * {@link io.dxnet.tools.example.log.LogWriter}.
 */
package io.dxnet.tools.example.log;
