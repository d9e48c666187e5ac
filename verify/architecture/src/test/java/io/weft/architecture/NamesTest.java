package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Provides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Directory, artifactId, module and package tell the same name.
class NamesTest {
    /// `core`, `packaging` and `verify` are no parts of names: `core/buffer` is `buffer`,
    /// `http/model` is `http.model`.
    private static String name(String directory) {
        return directory.replaceFirst("^(core|packaging|verify)/", "");
    }

    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void moduleIsNamedAfterItsDirectory(Room room) {
        assertThat(room.module()).isEqualTo("io.weft." + name(room.directory()).replace('/', '.'));
    }

    @Test
    void artifactsAreNamedAfterTheirDirectories() {
        assertThat(House.directories())
                .allSatisfy(
                        directory ->
                                assertThat(artifactId(directory))
                                        .isEqualTo("weft-" + name(directory).replace('/', '-')));
    }

    private static String artifactId(String directory) {
        Element pom = House.pom(House.ROOT.resolve(directory));
        for (Node n = pom.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n.getNodeName().equals("artifactId")) {
                return n.getTextContent().strip();
            }
        }
        throw new AssertionError(directory + "/pom.xml: no artifactId");
    }

    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void moduleExportsOnePackageOfItsNameAndPerhapsAnSpi(Room room) {
        boolean shared = Set.of("transport/posix", "client/pipelined").contains(room.directory());
        assertThat(room.descriptor().exports())
                .filteredOn(exports -> shared || !exports.isQualified())
                .extracting(Exports::source)
                .isSubsetOf(exportable(room));
        // Packages that layers share are no offer to users; see docs/design/0005-posix-room.md and
        // 0026.
        Set<String> below = Set.of("core/engine", "core/eventloop");
        assertThat(room.descriptor().exports())
                .allMatch(
                        exports ->
                                exports.isQualified() == shared
                                        || below.contains(room.directory()));
        assertThat(room.descriptor().opens()).isEmpty();
    }

    /// Packages beside that of the module's name, of modules whose types are more than fit into
    /// one; see docs/design/0032-packages-of-the-core.md and 0035.
    private static final Map<String, Set<String>> BESIDE =
            Map.of(
                    "io.weft.ffi", Set.of("io.weft.ffi.openssl", "io.weft.ffi.uring"),
                    "io.weft.buffer", Set.of("io.weft.buffer.leak", "io.weft.buffer.search"),
                    "io.weft.loop", Set.of("io.weft.loop.queue"),
                    "io.weft.codec.dns", Set.of("io.weft.codec.dns.rdata"),
                    "io.weft.codec.mqtt", Set.of("io.weft.codec.mqtt.session"));

    private static Set<String> exportable(Room room) {
        String name = room.module();
        Set<String> all = new HashSet<>(BESIDE.getOrDefault(name, Set.of(name + ".spi")));
        all.add(name);
        return all;
    }

    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void packagesAreNotNamedAfterBeingHidden(Room room) {
        assertThat(room.descriptor().packages())
                .allMatch(
                        name -> name.equals(room.module()) || name.startsWith(room.module() + "."))
                .noneMatch(name -> name.matches(".*\\.(internal|impl|utils?|misc)(\\..*)?"));
    }

    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void classesAreNotNamedAfterTheirConstruction(Room room) {
        assertThat(room.classes())
                .extracting(file -> file.getFileName().toString().replace(".class", ""))
                .noneMatch(name -> name.matches("(.*\\$)?(Default|Abstract)[A-Z].*"))
                .noneMatch(name -> name.matches(".*(Impl|Utils?|Helper|Manager)(\\$.*)?"));
    }

    /// The files of META-INF/services let the class path find the providers of a module.
    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void theClassPathFindsTheProvidersThatTheModulePathFinds(Room room) throws IOException {
        Map<String, List<String>> listed = new TreeMap<>();
        Path services = room.path().resolve("src/main/resources/META-INF/services");
        if (Files.exists(services)) {
            try (Stream<Path> files = Files.list(services)) {
                for (Path file : files.toList()) {
                    listed.put(file.getFileName().toString(), Files.readAllLines(file));
                }
            }
        }
        assertThat(listed)
                .isEqualTo(
                        room.descriptor().provides().stream()
                                .collect(Collectors.toMap(Provides::service, Provides::providers)));
    }

    @Test
    void everythingButWhatPackagesAndVerifiesIsAModule() {
        List<String> rooms = House.ROOMS.stream().map(Room::directory).toList();
        assertThat(House.directories())
                .filteredOn(directory -> !directory.matches("(packaging|verify)/.*"))
                .isSubsetOf(rooms);
    }

    /// Otherwise a build of this module alone would look at old classes, or at none.
    @Test
    void thisModuleDependsOnAllOthersThatAreModules() {
        var dependencies =
                House.pom(House.ROOT.resolve("verify/architecture"))
                        .getElementsByTagName("artifactId");
        List<String> names =
                java.util.stream.IntStream.range(0, dependencies.getLength())
                        .mapToObj(i -> dependencies.item(i).getTextContent().strip())
                        .toList();
        assertThat(names)
                .containsAll(
                        House.ROOMS.stream().map(room -> artifactId(room.directory())).toList());
    }
}
