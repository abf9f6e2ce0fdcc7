/**
 * What the engine reports: errors' texts, JFR events, rejections on their way to the listeners.
 */
package io.dxnet.runtime.report;
