package io.dxnet.tools.release;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks a release before it is published. Runs without a build:
 * {@code java Main.java COMMAND ...}.
 */
public final class Main {
    private static final String USAGE = """
            usage: verify REPOSITORY VERSION SOURCES   the staged repository is complete, and nothing else is in it
                   compare ONE TWO                     two builds staged the same bytes
                   origins LOCAL_REPOSITORY ID         what Maven fetched of DXNet came from the repository ID alone
                   used FOLDER REPOSITORY              the jars of DXNet in FOLDER are those of the staged repository""";

    private Main() {}

    /**
     * Runs one check, and exits with 1 where it found a problem.
     *
     * @param arguments the check and its operands
     * @throws IOException when a file cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        System.exit(run(List.of(arguments), System.out));
    }

    static int run(List<String> arguments, PrintStream out) throws IOException {
        Report report = new Report(out);
        String command = arguments.isEmpty() ? "" : arguments.getFirst();
        if (command.equals("verify") && arguments.size() == 4) {
            StagedRepository repository = new StagedRepository(path(arguments, 1), arguments.get(2));
            new ReleaseCheck(repository, path(arguments, 3), report).run();
        } else if (command.equals("compare") && arguments.size() == 3) {
            new Comparison(report).compare(path(arguments, 1), path(arguments, 2));
        } else if (command.equals("origins") && arguments.size() == 3) {
            new Origins(report).check(path(arguments, 1), arguments.get(2));
        } else if (command.equals("used") && arguments.size() == 3) {
            new Comparison(report).used(path(arguments, 1), path(arguments, 2));
        } else {
            out.println(USAGE);
            return 2;
        }
        return report.end();
    }

    private static Path path(List<String> arguments, int index) {
        return Path.of(arguments.get(index));
    }
}
