/** The engine. */
module io.dxnet.runtime {
    requires io.dxnet.api;
}
