/**
 * A software RDMA device. It presents the C ABI of libibverbs through
 * upcall stubs, under the device names {@code soft0}, {@code soft1} and
 * so on, and connects the devices of one JVM with each other.
 *
 * <p>Run with {@code --enable-native-access=io.dxnet.ibverbs,io.dxnet.softhca}.
 */
module io.dxnet.softhca {
    requires transitive io.dxnet.ibverbs;
    // For tests: the socket option that fixes the IPv4 identification.
    requires jdk.net;

    exports io.dxnet.softhca;

    provides io.dxnet.ibverbs.spi.VerbsProvider with
            io.dxnet.softhca.SoftVerbsProvider,
            io.dxnet.softhca.IdleVerbsProvider;
}
