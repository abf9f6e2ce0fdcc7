package io.dxnet.tools.compare.harness;

import java.util.Arrays;

/**
 * What the comparison tells its processes on their standard input, a line of side, command and arguments each, and how they
 * answer on their standard output.
 */
interface Commands {
    /** Both: begin a round. The server side answers with its address, which the client side is told behind the workload. */
    String OPEN = "open";
    /** Client side: send until {@link #STOP}. */
    String START = "start";
    /** Client side: answers with what each thread sent. */
    String STOP = "stop";
    /** Client side: run round trips; answers with the corrupted ones and the times. */
    String TRIPS = "trips";
    /** Server side: answers with the messages received so far and the nanoseconds of its clock. */
    String COUNT = "count";
    /** Server side: await what was sent; answers with the faults. */
    String FINISH = "finish";
    /** Both: end a round. */
    String CLOSE = "close";
    /** Both: answers with why the peer can't run, or with {@link #OK}. */
    String PROBE = "probe";

    /** Both: answers with what this machine gave the peer. */
    String DETAIL = "detail";

    /** An answer without words of its own. */
    String OK = "ok";
    /** Answers begin with it; anything else is what a library prints. */
    String ANSWER = "@dxnet ";
    /** An answer that tells of an error begins with it. */
    String FAILED = "failed ";

    /** An answer or an argument that consists of numbers. */
    static long[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Does it, and answers. */
    String execute(String command, String arguments) throws Exception;
}
