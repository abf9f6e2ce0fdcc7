/** An application that knows the API alone; engine and transport are services. */
module consumer {
    requires io.dxnet.api;

    opens consumer to
            io.dxnet.api;
}
