package io.dxnet.tools.report;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far the benchmark is, on standard error: a bar on a
 * terminal, else a line for each size.
 */
public interface Progress extends AutoCloseable {
    /**
     * A round begins.
     *
     * @param size of its payloads, bytes
     * @param what it is
     */
    void begin(int size, String what);

    /**
     * How much of the round is done.
     *
     * @param done 0 to 1
     */
    void fraction(double done);

    /** The round is over. */
    void end();

    /**
     * All rounds of a size are over.
     *
     * @param line what came of them
     */
    void result(String line);

    @Override
    void close();

    /**
     * What fits the output.
     *
     * @param terminal whether it is one
     * @param rounds how many there will be
     * @param err where to show it
     * @return a bar or lines
     */
    static Progress create(boolean terminal, int rounds, PrintStream err) {
        return terminal ? new Bar(rounds, err) : new Lines(err);
    }

    /** For a terminal. */
    final class Bar implements Progress {
        private static final int STEPS = 1000;

        private final ProgressBar bar;
        private long base;

        /**
         * A bar.
         *
         * @param rounds how many there will be
         * @param err where to show it
         */
        public Bar(int rounds, PrintStream err) {
            bar = new ProgressBarBuilder()
                    .setTaskName("bench")
                    .setInitialMax((long) rounds * STEPS)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(250)
                    .setConsumer(new me.tongfei.progressbar.ConsoleProgressBarConsumer(err, 100))
                    .setUnit(" rounds", STEPS)
                    .hideEta()
                    .build();
        }

        @Override
        public void begin(int size, String what) {
            bar.setExtraMessage(" " + Sizes.format(size) + " B " + what);
        }

        @Override
        public void fraction(double done) {
            bar.stepTo(base + (long) (done * STEPS));
        }

        @Override
        public void end() {
            base += STEPS;
            bar.stepTo(base);
        }

        @Override
        public void result(String line) {
            // the table follows
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /**
     * For files and pipes.
     *
     * @param err where to show it
     */
    record Lines(PrintStream err) implements Progress {
        @Override
        public void begin(int size, String what) {
            // a line for each size is enough
        }

        @Override
        public void fraction(double done) {
            // a line for each size is enough
        }

        @Override
        public void end() {
            // a line for each size is enough
        }

        @Override
        public void result(String line) {
            err.println(line);
        }

        @Override
        public void close() {
            err.flush();
        }
    }
}
