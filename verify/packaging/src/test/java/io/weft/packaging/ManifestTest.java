package io.weft.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Provides;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.osgi.framework.Constants;

/// The manifest says to OSGi what the module descriptor says to the JVM.
class ManifestTest {
    static final List<Path> OURS = Jars.ours();

    private static ModuleDescriptor module(Path jar) {
        return ModuleFinder.of(jar).findAll().iterator().next().descriptor();
    }

    /// The names in a header, without attributes and directives, which have commas in quotes.
    private static List<String> names(Path jar, String header) throws IOException {
        String value = Objects.requireNonNullElse(Jars.header(jar, header), "");
        return List.of(value.replaceAll("\"[^\"]*\"", "").replaceAll(";[^,]*", "").split(","));
    }

    @ParameterizedTest
    @FieldSource("OURS")
    void bundleIsNamedAfterItsModule(Path jar) throws IOException {
        assertThat(Jars.header(jar, Constants.BUNDLE_SYMBOLICNAME)).isEqualTo(module(jar).name());
        assertThat(Jars.header(jar, Constants.REQUIRE_CAPABILITY))
                .contains("osgi.ee;filter:=\"(&(osgi.ee=JavaSE)(version=25))\"");
    }

    @ParameterizedTest
    @FieldSource("OURS")
    void bundleExportsThePackagesOfItsModule(Path jar) throws IOException {
        List<String> exported = module(jar).exports().stream().map(Exports::source).toList();
        assertThat(names(jar, Constants.EXPORT_PACKAGE))
                .filteredOn(name -> !name.isEmpty())
                .containsExactlyInAnyOrderElementsOf(exported);
    }

    @ParameterizedTest
    @FieldSource("OURS")
    void bundleDoesWithoutAnnotations(Path jar) throws IOException {
        assertThat(Objects.requireNonNullElse(Jars.header(jar, Constants.IMPORT_PACKAGE), ""))
                .contains("org.jspecify.annotations;version=\"[1.0,2)\";resolution:=optional");
    }

    @ParameterizedTest
    @FieldSource("OURS")
    void bundleTellsItsServices(Path jar) throws IOException {
        String provided =
                Objects.requireNonNullElse(Jars.header(jar, Constants.PROVIDE_CAPABILITY), "");
        for (Provides service : module(jar).provides()) {
            for (String provider : service.providers()) {
                assertThat(provided)
                        .contains("osgi.serviceloader=\"" + service.service() + "\"")
                        .contains("register:=\"" + provider + "\"");
            }
        }
        String required =
                Objects.requireNonNullElse(Jars.header(jar, Constants.REQUIRE_CAPABILITY), "");
        for (String used : module(jar).uses()) {
            assertThat(required)
                    .contains("osgi.extender=osgi.serviceloader.processor")
                    .contains("(osgi.serviceloader=" + used + ")");
        }
    }
}
