package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class FiguresTest {
    @TempDir
    Path directory;

    static Stream<String> names() {
        return Figures.all().stream().map(Figure::name);
    }

    private static Sweep sweep(Figure figure, boolean quick) {
        BenchOptions options = new BenchOptions();
        new CommandLine(options)
                .setOverwrittenOptionsAllowed(true)
                .parseArgs(figure.arguments(quick, List.of()).toArray(String[]::new));
        String transport = options.nodeOptions.transport();
        List<String> transports = transport.equals("all") ? List.of("loopback", "nio") : List.of(transport);
        return options.sweep(transports, options.nodeCounts());
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldDrawEachFigure(String name) throws IOException {
        Figure figure = Figures.of(name);
        Report report = Reports.of(sweep(figure, false), Faults.NONE);
        List<Path> files = figure.write(report, directory, "./dxnet bench --measured-so");
        int pictures = 0;
        for (Path file : files) {
            String text = file.getFileName().toString();
            assertThat(text).startsWith(name);
            if (text.endsWith(".png")) {
                BufferedImage image = ImageIO.read(file.toFile());
                assertThat(image.getHeight()).isGreaterThan(600);
                pictures++;
            } else if (text.endsWith(".svg")) {
                assertThat(Files.readString(file)).contains("<svg").contains("./dxnet bench");
            } else if (text.endsWith("course.csv")) {
                assertThat(Files.readAllLines(file)).hasSize(1 + 4 * 20);
            } else if (text.endsWith(".csv")) {
                assertThat(Files.readAllLines(file)).hasSize(1 + report.sweep().points());
            } else {
                assertThat(Files.readString(file)).contains(figure.source(), "--measured-so", "Linux");
            }
        }
        assertThat(pictures).isEqualTo(figure.pictures().size());
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldBeShorterWhenQuick(String name) {
        Figure figure = Figures.of(name);
        double full = Estimate.seconds(sweep(figure, false));
        assertThat(Estimate.seconds(sweep(figure, true))).isLessThan(full / 2);
        assertThat(full).isLessThan(600);
        assertThat(sweep(figure, false).plan().runs()).isEqualTo(3);
    }

    /** What the command line adds to a figure gets curves of its own. */
    @ParameterizedTest
    @MethodSource("names")
    void shouldTellApartWhatIsAdded(String name) throws IOException {
        Figure figure = Figures.of(name);
        Sweep sweep = sweep(figure, true);
        Sweep wider = new Sweep(
                sweep.setups().stream()
                        .flatMap(setup -> Stream.of("loopback", "nio")
                                .map(transport ->
                                        new Setup(transport, setup.nodes(), setup.handlers(), setup.parking())))
                        .distinct()
                        .toList(),
                sweep.patterns(),
                List.of(1, 2),
                List.of(64, 65),
                sweep.plan());
        assertThat(figure.write(Reports.of(wider, Faults.NONE), directory, "")).isNotEmpty();
    }

    @Test
    void shouldListEachFigureOnce() {
        assertThat(names()).doesNotHaveDuplicates();
        assertThat(Figures.lines()).hasSize(Figures.all().size()).allMatch(line -> line.length() < 160);
        assertThat(Main.run("bench", "--list-figures")).isZero();
    }

    @Test
    void shouldLetTheCommandLineWin() {
        List<String> arguments = Figures.of("uni").arguments(false, List.of("--size", "64", "--handlers", "1"));
        BenchOptions options = new BenchOptions();
        new CommandLine(options).setOverwrittenOptionsAllowed(true).parseArgs(arguments.toArray(String[]::new));
        assertThat(options.sweep(List.of("nio"), options.nodeCounts()).points()).isEqualTo(1);
    }

    @Test
    void shouldMeasureAndDrawFromTheCommandLine() throws IOException {
        String line =
                "bench --figure switch --figure rtt --quick --transport loopback --size 64 --nodes 2 --warmup 0.05"
                        + " --seconds 0.4 --figures " + directory;
        assertThat(Main.run(line.split(" "))).isZero();
        assertThat(directory.resolve("switch-loopback.png")).exists();
        assertThat(directory.resolve("rtt-loopback-rate.svg")).exists();
        assertThat(Files.readString(directory.resolve("switch-loopback.txt")))
                .contains("--pattern switch --size 16K", "--size 64 --nodes 2", "ring msg/s");
        assertThat(Files.readAllLines(directory.resolve("switch-loopback-course.csv")))
                .hasSizeBetween(5, 10);
    }
}
