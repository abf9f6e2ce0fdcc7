package io.dxnet;

/** The entry point. */
public final class DXNet {
    private DXNet() {}
}
