/** What messages and one-sided access share about queue pairs: addresses on the wire, errors. */
package io.dxnet.transport.ib.qp;
