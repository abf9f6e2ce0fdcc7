package io.dxnet.tools.ledger;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Faults of the testbed's links, made by its program {@code fault}: one link at a time, and
 * losses of all links all the time.
 */
final class TestbedLinkFaults implements LinkFaults {
    private static final int FOR_MS_MAX = 5_000;
    private static final int CUT_FOR_MS_MAX = 8_000;
    private static final int HEALTHY = 0;

    private final List<String> program;
    private final int links;
    private final int loss;
    private final Random random;
    private int faulty = HEALTHY; // the link, from 1

    TestbedLinkFaults(List<String> program, int links, int loss, Random random) throws IOException {
        this.program = program;
        this.links = links;
        this.loss = loss;
        this.random = random;
        heal("all");
    }

    @Override
    public int begin() throws IOException {
        end();
        faulty = 1 + random.nextInt(links);
        String link = Integer.toString(faulty);
        switch (random.nextInt(6)) {
            case 0 -> run(link, "loss", "20");
            case 1 -> run(link, "delay", Integer.toString(1 + random.nextInt(50)), "reorder", "2");
            case 2 -> run(link, "duplicate", "5", "corrupt", "1");
            default -> {
                run(link, "loss", "100"); // silence, as behind a switch
                return CUT_FOR_MS_MAX;
            }
        }
        return FOR_MS_MAX;
    }

    @Override
    public void end() throws IOException {
        if (faulty != HEALTHY) {
            heal(Integer.toString(faulty));
            faulty = HEALTHY;
        }
    }

    @Override
    public void close() throws IOException {
        run("all", "heal");
    }

    private void heal(String link) throws IOException {
        run(link, "heal");
        if (loss > 0) {
            run("--out", link, "loss", Integer.toString(loss));
        }
    }

    private void run(String... words) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(words));
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IOException(String.join(" ", command) + " ended with exit code " + code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(String.join(" ", command));
        }
    }
}
