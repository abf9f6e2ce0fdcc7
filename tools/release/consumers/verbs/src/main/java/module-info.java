/** An application of the verbs binding. */
module consumer {
    requires io.dxnet.ibverbs;
}
