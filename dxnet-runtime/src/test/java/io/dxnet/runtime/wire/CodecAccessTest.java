package io.dxnet.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dxnet.Codec;
import io.dxnet.MessagingUsageException;
import java.lang.invoke.MethodHandles;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of named modules, which exist in the test alone: exported, opened, and neither. */
class CodecAccessTest {
    @TempDir
    private static Path folder;

    private static ClassLoader loader;

    @BeforeAll
    static void defineModule() throws Exception {
        Compiled.into(
                folder,
                Map.of(
                        "module-info.java",
                        "module app { exports shown; opens opened; }",
                        "shown/Shown.java",
                        """
                        package shown;
                        public record Shown(int value, hidden.Hidden inner) {
                            public record Plain(int value) {}
                            record Internal(int value) {}
                            public static java.lang.invoke.MethodHandles.Lookup lookup() {
                                return java.lang.invoke.MethodHandles.lookup();
                            }
                        }
                        """,
                        "hidden/Hidden.java",
                        "package hidden; public record Hidden(int value) {}",
                        "opened/Opened.java",
                        "package opened; record Opened(int value) {}"));
        Configuration configuration =
                ModuleLayer.boot().configuration().resolve(ModuleFinder.of(folder), ModuleFinder.of(), Set.of("app"));
        loader = ModuleLayer.defineModulesWithOneLoader(
                        configuration, List.of(ModuleLayer.boot()), ClassLoader.getSystemClassLoader())
                .layer()
                .findLoader("app");
    }

    private static void assertInaccessible(String type, String refused) {
        assertThatExceptionOfType(MessagingUsageException.class)
                .isThrownBy(() -> Codec.of(loader.loadClass(type)))
                .withMessageContainingAll(
                        "record " + refused,
                        "module app",
                        "MethodHandles.lookup()",
                        "opens " + refused.substring(0, refused.indexOf('.')) + " to io.dxnet.api;");
    }

    @Test
    void shouldDeriveWhenTheRecordIsPublicInAnExportedPackageOrItsPackageIsOpen() throws Exception {
        assertThat(Codec.of(loader.loadClass("shown.Shown$Plain")).describe()).isEqualTo("Plain{value: int}");
        assertThat(Codec.of(loader.loadClass("opened.Opened")).describe()).isEqualTo("Opened{value: int}");
    }

    @Test
    void shouldNameTheRecordAndTheRemedyWhenARecordIsNotAccessible() {
        assertInaccessible("hidden.Hidden", "hidden.Hidden");
        assertInaccessible("shown.Shown", "hidden.Hidden");
        assertInaccessible("shown.Shown$Internal", "shown.Shown$Internal");
    }

    @Test
    void shouldDeriveWhenALookupOfTheModuleIsPassed() throws Exception {
        MethodHandles.Lookup lookup = (MethodHandles.Lookup)
                loader.loadClass("shown.Shown").getMethod("lookup").invoke(null);
        for (String type : List.of("shown.Shown", "shown.Shown$Internal", "hidden.Hidden", "opened.Opened")) {
            assertThat(Codec.of(loader.loadClass(type), lookup).schema()).isNotZero();
        }
    }

    /** The lookup serves for the application's own records, and this module's for the others. */
    @Test
    void shouldDeriveWhenTheLookupIsOfAnotherModuleButTheRecordIsAccessible() throws Exception {
        assertThat(Codec.of(loader.loadClass("shown.Shown$Plain"), MethodHandles.publicLookup())
                        .schema())
                .isNotZero();
        assertThat(Codec.of(Local.class, MethodHandles.lookup()).describe()).isEqualTo("Local{value: int}");
    }

    private record Local(int value) {}
}
