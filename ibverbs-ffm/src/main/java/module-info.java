/**
 * The verbs API of rdma-core (libibverbs) for Java: devices, queue pairs, completion queues, memory
 * regions, driven through {@code java.lang.foreign} without native code of its own.
 *
 * <p>Run with {@code --enable-native-access=io.dxnet.ibverbs}.
 */
module io.dxnet.ibverbs {
    exports io.dxnet.ibverbs;
    exports io.dxnet.ibverbs.spi;
    // The software device presents the same C ABI and needs the same layouts; no other module does.
    exports io.dxnet.ibverbs.raw to
            io.dxnet.softhca;

    uses io.dxnet.ibverbs.spi.VerbsProvider;
    uses io.dxnet.ibverbs.spi.VerbsCalls;
}
