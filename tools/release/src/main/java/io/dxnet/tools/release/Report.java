package io.dxnet.tools.release;

import java.io.PrintStream;

/** Prints what a check found, and counts the problems. One thread. */
final class Report {
    private final PrintStream out;
    private int problems;

    Report(PrintStream out) {
        this.out = out;
    }

    void note(String text) {
        out.println("NOTE  " + text);
    }

    /** What a publication in Central needs, and the project does not have. */
    void missingForCentral(String what) {
        out.println("CENTRAL NEEDS  " + what);
    }

    void problem(String text) {
        problems++;
        out.println("PROBLEM  " + text);
    }

    /** Reports a problem unless the condition holds. */
    void require(boolean condition, String problem) {
        if (!condition) {
            problem(problem);
        }
    }

    /** {@return the exit code: 0 without problems} */
    int end() {
        if (problems > 0) {
            out.println(problems + (problems == 1 ? " problem" : " problems"));
        }
        return problems == 0 ? 0 : 1;
    }
}
