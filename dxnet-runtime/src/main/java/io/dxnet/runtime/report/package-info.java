/**
 * What the engine reports: errors' texts, JFR events, rejections on their way to the listeners.
 */
@NullMarked
package io.dxnet.runtime.report;

import org.jspecify.annotations.NullMarked;
