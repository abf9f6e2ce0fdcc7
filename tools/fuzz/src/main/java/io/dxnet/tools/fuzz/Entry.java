package io.dxnet.tools.fuzz;

/** What Jazzer calls; the system property {@code fuzz.target} names the target. */
public final class Entry {
    private static Bounded bounded;

    private Entry() {}

    /** Called once, before the first input. */
    public static void fuzzerInitialize() {
        bounded = new Bounded(Targets.named(System.getProperty("fuzz.target")));
    }

    /**
     * Called for each input.
     *
     * @param input any bytes
     * @throws Exception a finding
     */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        bounded.run(input);
    }
}
