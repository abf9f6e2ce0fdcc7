package io.dxnet.verbs.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the suite without Maven and prints one line for each test: {@code run DEVICE [TestClass …]}.
 * Ends with 0 if no test failed and at least one ran. Writes {@code TEST<tab>RESULT<tab>REASON} to
 * the file of {@code -Ddxnet.verbs.report}.
 */
public final class Run {
    private Run() {}

    private static final class Listener implements TestExecutionListener {
        private final PrintStream out = System.out;
        private final Map<String, String> rows = new TreeMap<>();
        private TestPlan plan;
        private int passed;
        private int skipped;
        private int failed;
        private long startedNs;

        @Override
        public void testPlanExecutionStarted(TestPlan testPlan) {
            plan = testPlan;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            startedNs = System.nanoTime();
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped++;
            report(test, "skipped", reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            Optional<Throwable> thrown = result.getThrowable();
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        passed++;
                        report(test, "passed", "");
                    }
                }
                case ABORTED -> {
                    skipped++;
                    report(test, "skipped", thrown.map(Throwable::getMessage).orElse(""));
                }
                case FAILED -> {
                    failed++;
                    report(test, "FAILED", thrown.map(Throwable::toString).orElse(""));
                    thrown.ifPresent(t -> t.printStackTrace(out));
                }
            }
        }

        private void report(TestIdentifier test, String result, String reason) {
            String parent = plan.getParent(test)
                    .filter(TestIdentifier::isContainer)
                    .filter(TestIdentifier -> !test.isContainer())
                    .map(TestIdentifier::getDisplayName)
                    .filter(name -> !name.endsWith("Test"))
                    .map(name -> name + " ")
                    .orElse("");
            String name = parent + test.getDisplayName();
            String oneLine = reason.replaceAll("\\s+", " ");
            long ms = (System.nanoTime() - startedNs) / 1_000_000;
            out.printf("%-8s %s (%d ms)%s%n", result, name, ms, oneLine.isEmpty() ? "" : ": " + oneLine);
            rows.put(name, result + "\t" + oneLine);
        }
    }

    /**
     * Runs.
     *
     * @param arguments the names of test classes, none for all
     * @throws IOException if the report cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        String own = Run.class.getPackageName();
        List<? extends DiscoverySelector> selectors = arguments.length == 0
                ? List.of(selectPackage(own))
                : java.util.Arrays.stream(arguments)
                        .map(name -> selectClass(own + "." + name))
                        .toList();
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        Listener listener = new Listener();
        System.out.println("verbs conformance on " + Rig.DEVICE);
        LauncherFactory.create().execute(request, listener);
        System.out.printf(
                "verbs conformance on %s: %d passed, %d skipped, %d failed%n",
                Rig.DEVICE, listener.passed, listener.skipped, listener.failed);
        String report = System.getProperty("dxnet.verbs.report");
        if (report != null) {
            StringBuilder text = new StringBuilder();
            listener.rows.forEach(
                    (test, row) -> text.append(test).append('\t').append(row).append('\n'));
            Files.writeString(Path.of(report), text);
        }
        System.exit(listener.failed == 0 && listener.passed > 0 ? 0 : 1);
    }
}
