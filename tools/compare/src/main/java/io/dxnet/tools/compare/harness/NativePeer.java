package io.dxnet.tools.compare.harness;

import java.nio.file.Path;
import java.util.List;

/**
 * A peer whose sides are programs in another language. One Java process starts them for each round,
 * with one command for both, and passes the comparison's commands to their standard input:
 *
 * <pre>
 *   comparison --commands--&gt; Java process --commands--&gt; launcher --+--&gt; receiving program
 *              &lt;--answers---              &lt;--answers---            +--&gt; sending program
 * </pre>
 *
 * <p>Commands and answers are those of the Java peers, but that the times of round trips come as
 * pairs: corrupted echoes, then each time in nanoseconds with its count, as {@code 17000:3}. The
 * programs end with their standard input.
 */
public interface NativePeer extends Peer {
    /**
     * Makes the programs, for instance with a compiler; called once, before the first round.
     *
     * @param folder where they may be; deleted in the end
     * @throws Exception when that fails
     */
    void make(Path folder) throws Exception;

    /**
     * Returns what starts the programs for one round.
     *
     * @param folder of {@link #make}
     * @param workload of the round
     * @return the whole command
     * @throws Exception when it can't
     */
    List<String> command(Path folder, Workload workload) throws Exception;

    @Override
    default boolean inOneProcess() {
        return true;
    }

    @Override
    default PeerServer serve(Workload workload, Inbox inbox) {
        throw new UnsupportedOperationException("its programs do that");
    }

    @Override
    default PeerClient connect(Workload workload, String address) {
        throw new UnsupportedOperationException("its programs do that");
    }
}
