/**
 * The last stage of a message's path: message handlers poll batches, make and import
 * the message objects, and call the application (DXNet §VI-A). What cannot be
 * delivered is reported to its sender.
 */
@NullMarked
package io.dxnet.runtime.handle;

import org.jspecify.annotations.NullMarked;
