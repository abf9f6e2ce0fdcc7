package io.dxnet.tools.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that a staged repository has what {@code dxnet-bom} lists, each artifact with all its
 * files, and nothing else. What Central needs and the project does not have is noted by name, and
 * is no problem of the repository.
 */
final class ReleaseCheck {
    private static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");
    private static final List<String> SBOMS = List.of("-cyclonedx.xml", "-cyclonedx.json");
    private static final Map<String, String> SUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");
    /**
     * Elements of a POM that Central needs; the second list names a place on the
     * web, which a project may not have.
     */
    private static final List<String> NEEDED = List.of("name", "description", "licenses", "developers");

    private static final List<String> PLACES = List.of("url", "scm");
    /** Maven and Gradle replace it where they read a POM. */
    private static final String OWN_VERSION = "${project.version}";

    private final StagedRepository repository;
    private final Path sources;
    private final Report report;
    private final SortedSet<String> missingForCentral = new TreeSet<>();

    /** {@code sources} has the licence and the notice that each jar repeats. */
    ReleaseCheck(StagedRepository repository, Path sources, Report report) {
        this.repository = repository;
        this.sources = sources;
        this.report = report;
    }

    void run() throws IOException {
        if (!Files.isRegularFile(repository.file(StagedRepository.BOM, ".pom"))) {
            report.problem("there is no " + StagedRepository.BOM + " in " + repository.root());
            return;
        }
        SortedSet<String> expected = managed();
        report.note(StagedRepository.BOM + ": " + expected.size() + " artifacts");
        expected.add(StagedRepository.BOM);
        for (String artifact : repository.artifacts()) {
            report.require(expected.contains(artifact), artifact + " is staged, but the BOM does not list it");
        }
        for (String artifact : expected) {
            if (repository.artifacts().contains(artifact)) {
                artifact(artifact);
            } else {
                report.problem(artifact + " is in the BOM, but is not staged");
            }
        }
        missingForCentral.add("a signature of each file (.asc): the project has no key");
        missingForCentral.add("proof that the namespace " + StagedRepository.GROUP + " is the project's");
        missingForCentral.forEach(report::missingForCentral);
    }

    /** The artifacts of the BOM, each in the version of the release. */
    private SortedSet<String> managed() throws IOException {
        List<Xml> all = Xml.read(repository.file(StagedRepository.BOM, ".pom"))
                .all("dependencyManagement", "dependencies", "dependency");
        for (Xml each : all) {
            String version = each.text("version").replace(OWN_VERSION, repository.version());
            String name = each.text("groupId") + ":" + each.text("artifactId") + ":" + version;
            report.require(
                    each.text("groupId").equals(StagedRepository.GROUP) && version.equals(repository.version()),
                    "the BOM lists " + name);
        }
        return all.stream().map(each -> each.text("artifactId")).collect(Collectors.toCollection(TreeSet::new));
    }

    private void artifact(String artifact) throws IOException {
        boolean jar = !artifact.equals(StagedRepository.BOM);
        SortedSet<String> files = new TreeSet<>();
        files.add(repository.name(artifact, ".pom"));
        if (jar) {
            JARS.forEach(suffix -> files.add(repository.name(artifact, suffix)));
            SBOMS.forEach(suffix -> files.add(repository.name(artifact, suffix)));
        }
        if (!complete(artifact, files)) {
            return;
        }
        pom(artifact);
        if (jar) {
            JarCheck check = new JarCheck(sources, report);
            String module = check.module(repository.file(artifact, ".jar"));
            JARS.forEach(suffix -> check.licence(repository.file(artifact, suffix)));
            check.holds(repository.file(artifact, "-sources.jar"), "module-info.java");
            check.holds(repository.file(artifact, "-javadoc.jar"), "index.html");
            sbom(artifact);
            report.note(artifact + ": module " + module + ", sources, Javadoc, SBOM");
        }
    }

    /** Whether every file is there, with the checksums that it has; others are problems. */
    private boolean complete(String artifact, SortedSet<String> files) throws IOException {
        boolean complete = true;
        List<String> staged = repository.files(artifact);
        SortedSet<String> all = new TreeSet<>(files);
        for (String file : files) {
            if (!staged.contains(file)) {
                report.problem(file + " is missing");
                complete = false;
                continue;
            }
            for (var sum : new TreeMap<>(SUMS).entrySet()) {
                all.add(file + sum.getKey());
                checksum(repository.folder(artifact).resolve(file), sum.getKey(), sum.getValue());
            }
        }
        for (String file : staged) {
            report.require(all.contains(file), file + " is staged, and is no part of a release");
        }
        return complete;
    }

    private void checksum(Path file, String suffix, String algorithm) throws IOException {
        Path sum = file.resolveSibling(file.getFileName() + suffix);
        if (!Files.isRegularFile(sum)) {
            report.problem(sum.getFileName() + " is missing");
            return;
        }
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file));
            report.require(
                    HexFormat.of()
                            .formatHex(digest)
                            .equals(Files.readString(sum).strip()),
                    sum.getFileName() + " is not the checksum of its file");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A published POM stands alone, and has what Central needs. */
    private void pom(String artifact) throws IOException {
        Path file = repository.file(artifact, ".pom");
        Xml pom = Xml.read(file);
        String name = file.getFileName().toString();
        String text = Files.readString(file);
        report.require(pom.text("groupId").equals(StagedRepository.GROUP), name + " has another group");
        report.require(pom.text("artifactId").equals(artifact), name + " is of another artifact");
        report.require(pom.text("version").equals(repository.version()), name + " has another version");
        report.require(!pom.has("parent"), name + " has a parent, which is not published");
        report.require(!text.contains("SNAPSHOT"), name + " names a snapshot");
        report.require(!text.replace(OWN_VERSION, "").contains("${"), name + " has a property that nothing replaced");
        for (String element : NEEDED) {
            report.require(!pom.text(element).isEmpty(), name + " has no <" + element + ">, which Central needs");
        }
        for (String element : PLACES) {
            if (pom.text(element).isEmpty()) {
                missingForCentral.add("<" + element + "> in each POM: the project has none");
            }
        }
    }

    /** The SBOM is of this artifact, and names what the POM depends on. */
    private void sbom(String artifact) throws IOException {
        Xml sbom = Xml.read(repository.file(artifact, "-cyclonedx.xml"));
        String name = repository.name(artifact, "-cyclonedx.xml");
        List<Xml> subject = sbom.all("metadata", "component");
        report.require(
                subject.size() == 1
                        && subject.getFirst().text("name").equals(artifact)
                        && subject.getFirst().text("version").equals(repository.version()),
                name + " describes something else");
        List<String> components = sbom.all("components", "component").stream()
                .map(ReleaseCheck::component)
                .toList();
        for (Xml each : Xml.read(repository.file(artifact, ".pom")).all("dependencies", "dependency")) {
            String needed = each.text("groupId") + ":" + each.text("artifactId") + ":" + each.text("version");
            report.require(components.contains(needed), name + " does not name " + needed);
        }
    }

    private static String component(Xml component) {
        return component.text("group") + ":" + component.text("name") + ":" + component.text("version");
    }
}
