package io.dxnet.jmh;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The C side of the benchmarks, compiled by this machine's compiler. The process that starts
 * benchmarks compiles it once and passes the file to the forks in {@link #PROPERTY}; without a
 * compiler, the benchmarks that need it are skipped by name.
 */
public final class NativeLibrary {
    /** The compiled library's file. */
    public static final String PROPERTY = "dxnet.jmh.library";

    private static final String SOURCE = "benchmarks.c";
    private static final long COMPILE_SECONDS_MAX = 60;

    private static boolean loaded; // under the class' monitor

    private NativeLibrary() {}

    /** Why there is no library; the message is one line for the user. */
    public static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String message) {
            super(message);
        }
    }

    /**
     * Compiles the library.
     *
     * @param folder where to
     * @return its file
     * @throws Unavailable where there is no compiler, no {@code jni.h}, or the compiler fails
     * @throws IOException if the folder cannot be written
     */
    public static Path compile(Path folder) throws Unavailable, IOException {
        Path include = Path.of(System.getProperty("java.home"), "include");
        if (!Files.exists(include.resolve("jni.h"))) {
            throw new Unavailable("the JDK has no " + include.resolve("jni.h"));
        }
        Path source = folder.resolve(SOURCE);
        Path library = folder.resolve("libbenchmarks.so");
        try (InputStream in = NativeLibrary.class.getResourceAsStream(SOURCE)) {
            Files.write(source, in.readAllBytes());
        }
        run(List.of(
                "cc",
                "-O2",
                "-shared",
                "-fPIC",
                "-pthread",
                "-I" + include,
                "-I" + include.resolve("linux"),
                "-o",
                library.toString(),
                source.toString()));
        return library;
    }

    private static void run(List<String> command) throws Unavailable, IOException {
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new Unavailable("there is no C compiler 'cc' (Debian: apt-get install gcc libc6-dev)");
        }
        try {
            String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!compiler.waitFor(COMPILE_SECONDS_MAX, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                throw new Unavailable("cc failed: " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while cc ran");
        } finally {
            compiler.destroyForcibly();
        }
    }

    /**
     * Compiles the library and loads it into this JVM, unless that is done: for programs other than
     * {@code ./dxnet jmh}. No file stays behind, so {@link #symbol} works only
     * where the library was passed in {@link #PROPERTY}.
     *
     * @throws Unavailable as {@link #compile}
     * @throws IOException if no temporary folder can be written
     */
    static synchronized void load() throws Unavailable, IOException {
        if (loaded) {
            return;
        }
        if (isPresent()) {
            Jni.nothing();
        } else {
            loadTemporary();
        }
        loaded = true;
    }

    private static void loadTemporary() throws Unavailable, IOException {
        Path folder = Files.createTempDirectory("dxnet-jni");
        try {
            System.setProperty(PROPERTY, compile(folder).toString());
            Jni.nothing();
        } finally {
            System.clearProperty(PROPERTY);
            delete(folder);
        }
    }

    /** Deletes a folder that has only files. */
    static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /**
     * Returns whether this JVM has the library.
     *
     * @return whether {@link #symbol} and {@link Jni} work
     */
    public static boolean isPresent() {
        return System.getProperty(PROPERTY) != null;
    }

    /** The library's file, for {@code System.load}. */
    static String file() {
        String file = System.getProperty(PROPERTY);
        if (file == null) {
            throw new IllegalStateException("no C library: start this through ./dxnet jmh, or with -D" + PROPERTY);
        }
        return file;
    }

    /**
     * Finds a function.
     *
     * @param name its C name
     * @return its address, valid until the JVM ends
     */
    @SuppressWarnings("restricted")
    public static MemorySegment symbol(String name) {
        return SymbolLookup.libraryLookup(Path.of(file()), Arena.global())
                .find(name)
                .orElseThrow(() -> new IllegalStateException("the C library has no " + name));
    }
}
