package io.dxnet.tools.verbs.endpoints;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ./dxnet endpoints-bench}. */
@Command(name = "endpoints-bench")
public final class EndpointsBenchCommand implements Callable<Integer> {
    /** Made by picocli. */
    public EndpointsBenchCommand() {}

    @Override
    public Integer call() {
        return 0;
    }
}
