/** The checks of a staged release; {@code tools/release/run} calls them. */
module io.dxnet.tools.release {
    requires java.xml;
}
