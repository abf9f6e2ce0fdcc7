/** An example application: a small distributed key-value store and a word count on top of it. */
module io.dxnet.tools.example {
    requires io.dxnet.api;
}
