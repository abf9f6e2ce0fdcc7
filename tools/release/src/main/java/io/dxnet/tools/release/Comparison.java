package io.dxnet.tools.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Compares the files of two folders byte by byte. */
final class Comparison {
    private final Report report;

    Comparison(Report report) {
        this.report = report;
    }

    /** Two staged repositories; the index of the versions has the time of its making in it. */
    void compare(Path one, Path two) throws IOException {
        SortedMap<String, Path> first = files(one);
        SortedMap<String, Path> second = files(two);
        SortedSet<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        names.removeIf(name -> name.contains("maven-metadata"));
        long bytes = 0;
        for (String name : names) {
            if (!first.containsKey(name) || !second.containsKey(name)) {
                report.problem(name + ": only in " + (first.containsKey(name) ? one : two));
            } else {
                same(name, first.get(name), second.get(name));
                bytes += Files.size(first.get(name));
            }
        }
        report.require(!names.isEmpty(), "there is no file in " + one);
        report.note(names.size() + " files compared, " + bytes + " bytes");
    }

    /** The jars of a folder that the staged repository has too. */
    void used(Path folder, Path repository) throws IOException {
        SortedMap<String, Path> staged = new TreeMap<>();
        files(repository).values().forEach(file -> staged.put(file.getFileName().toString(), file));
        int count = 0;
        for (Path file : files(folder).values()) {
            Path source = staged.get(file.getFileName().toString());
            if (source != null) {
                count++;
                same(file.getFileName().toString(), file, source);
            }
        }
        report.require(count > 0, "no jar in " + folder + " is one of the staged repository");
        report.note(count + " jars are those of the staged repository");
    }

    private void same(String name, Path one, Path two) throws IOException {
        long position = Files.mismatch(one, two);
        if (position >= 0) {
            report.problem(name + ": differs at byte " + position + (name.endsWith(".jar") ? entries(one, two) : ""));
        }
    }

    /** The entries that make two jars different. */
    private static String entries(Path one, Path two) throws IOException {
        try (ZipFile first = new ZipFile(one.toFile());
                ZipFile second = new ZipFile(two.toFile())) {
            SortedMap<String, Long> sums = sums(first);
            SortedMap<String, Long> others = sums(second);
            SortedSet<String> different = new TreeSet<>(sums.keySet());
            different.addAll(others.keySet());
            different.removeIf(name -> sums.containsKey(name) && sums.get(name).equals(others.get(name)));
            return different.isEmpty() ? ", not in what an entry holds" : ", in " + String.join(", ", different);
        } catch (ZipException e) {
            return ", and one of them is no jar: " + e.getMessage();
        }
    }

    private static SortedMap<String, Long> sums(ZipFile file) {
        SortedMap<String, Long> result = new TreeMap<>();
        for (ZipEntry entry : file.stream().toList()) {
            result.put(entry.getName(), entry.getCrc());
        }
        return result;
    }

    private static SortedMap<String, Path> files(Path folder) throws IOException {
        SortedMap<String, Path> result = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                all.filter(Files::isRegularFile)
                        .forEach(file -> result.put(folder.relativize(file).toString(), file));
            }
        }
        return result;
    }
}
