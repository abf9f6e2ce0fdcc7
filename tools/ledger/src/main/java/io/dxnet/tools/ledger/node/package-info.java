/** A node that sends random traffic and books it. */
package io.dxnet.tools.ledger.node;
