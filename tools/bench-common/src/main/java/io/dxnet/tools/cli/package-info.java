/**
 * What the command lines of the tools share: how they report errors, and checks
 * that come before any measurement.
 */
package io.dxnet.tools.cli;
