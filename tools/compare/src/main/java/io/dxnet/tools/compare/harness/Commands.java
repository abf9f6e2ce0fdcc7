package io.dxnet.tools.compare.harness;

import java.util.Arrays;

/**
 * The commands of the comparison to its processes. Each is a line of side, command and arguments on
 * the process's standard input; the process answers on its standard output.
 */
interface Commands {
    /**
     * Both: begin a round. The server side answers with its
     * address; the client side gets it after the workload.
     */
    String OPEN = "open";
    /** Client side: send until {@link #STOP}. */
    String START = "start";
    /** Client side: answers with what each thread sent. */
    String STOP = "stop";
    /** Client side: run round trips; answers with the corrupted ones and the times. */
    String TRIPS = "trips";
    /**
     * Client side: make connections, one after the other; answers with their number, 0 where the
     * peer does not measure that, and the nanoseconds.
     */
    String CONNECTIONS = "connections";
    /** Server side: answers with the messages received so far and the nanoseconds of its clock. */
    String COUNT = "count";
    /** Server side: await what was sent; answers with the faults. */
    String FINISH = "finish";
    /** Both: end a round. */
    String CLOSE = "close";
    /** Both: answers with why the peer can't run, or with {@link #OK}. */
    String PROBE = "probe";

    /** Both: answers with {@link Peer#onThisMachine}. */
    String DETAIL = "detail";

    /** An answer without words of its own. */
    String OK = "ok";
    /** Answers begin with it; anything else is what a library prints. */
    String ANSWER = "@dxnet ";
    /** An answer that reports an error begins with it. */
    String FAILED = "failed ";

    /** An answer or an argument that consists of numbers. */
    static long[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Executes a command; returns the answer. */
    String execute(String command, String arguments) throws Exception;
}
