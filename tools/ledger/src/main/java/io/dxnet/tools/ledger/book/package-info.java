/** The books: what nodes sent, handled and saw, and the check that all of it adds up. */
package io.dxnet.tools.ledger.book;
