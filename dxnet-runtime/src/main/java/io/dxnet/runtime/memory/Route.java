package io.dxnet.runtime.memory;

/**
 * The destination of the messages of one attachment.
 *
 * @param pieceMax the most bytes of one message
 */
record Route(int owner, long attachment, int pieceMax, Failures failures) {}
