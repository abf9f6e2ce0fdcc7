package io.dxnet.tools.ycsb;

import java.io.IOException;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * What YCSB found when it checked what was read.
 *
 * @param right records that were as they must be
 * @param wrong records that were not
 */
record Verification(long right, long wrong) {
    private static final String METRIC = "VERIFY";
    private static final String RESULT = "Return=";
    private static final String RIGHT = "Return=OK";

    /** Since the start of this process. */
    static Verification soFar() throws IOException {
        Counts counts = new Counts();
        Measurements.getMeasurements().exportMeasurements(counts);
        return new Verification(counts.right, counts.wrong);
    }

    Verification since(Verification before) {
        return new Verification(right - before.right, wrong - before.wrong);
    }

    /** Picks its numbers out of all that YCSB measures. */
    private static final class Counts implements MeasurementsExporter {
        private long right;
        private long wrong;

        @Override
        public void write(String metric, String measurement, long value) {
            if (metric.equals(METRIC) && measurement.startsWith(RESULT)) {
                if (measurement.equals(RIGHT)) {
                    right += value;
                } else {
                    wrong += value;
                }
            }
        }

        @Override
        public void write(String metric, String measurement, int value) {
            write(metric, measurement, (long) value);
        }

        @Override
        public void write(String metric, String measurement, double value) {
            // averages
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
