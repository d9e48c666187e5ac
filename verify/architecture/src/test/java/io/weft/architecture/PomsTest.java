package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// POMs have all that a repository demands, and no module is forgotten where all are listed.
class PomsTest {
    static final List<Pom> POMS = House.directories().stream().map(Pom::of).toList();

    private static final Pom PARENT = Pom.of("");
    private static final Pom BOM = Pom.of("packaging/bom");
    private static final Pom ALL = Pom.of("packaging/all");

    private static boolean isForUsers(Pom pom) {
        return !pom.directory().matches("examples|(verify|packaging)/.*");
    }

    private static Set<String> published() {
        Set<String> names = new TreeSet<>();
        POMS.stream().filter(PomsTest::isForUsers).map(Pom::artifactId).forEach(names::add);
        return names;
    }

    @Test
    void parentHasWhatACentralRepositoryDemands() {
        assertDescribed(PARENT);
    }

    /// It has no parent to inherit it from.
    @Test
    void bomHasWhatACentralRepositoryDemands() {
        assertDescribed(BOM);
        assertThat(BOM.texts("version")).isEqualTo(PARENT.texts("version"));
        assertThat(BOM.texts("parent", "artifactId")).isEmpty();
    }

    private static void assertDescribed(Pom pom) {
        assertThat(pom.texts("url")).hasSize(1);
        assertThat(pom.texts("licenses", "license", "name")).containsExactly("Apache-2.0");
        assertThat(pom.texts("licenses", "license", "url")).hasSize(1);
        assertThat(pom.texts("developers", "developer", "name")).isNotEmpty();
        assertThat(pom.texts("scm", "connection")).hasSize(1);
        assertThat(pom.texts("scm", "developerConnection")).hasSize(1);
        assertThat(pom.texts("scm", "url")).hasSize(1);
    }

    @ParameterizedTest
    @FieldSource("POMS")
    void everyPomSaysWhatItIs(Pom pom) {
        assertThat(pom.texts("name")).containsExactly("Weft: " + pom.directory());
        assertThat(pom.texts("description"))
                .singleElement()
                .asString()
                .matches("(?s)[A-Z].*\\.")
                .hasSizeLessThan(250);
        if (!pom.directory().equals(BOM.directory())) {
            assertThat(pom.texts("parent", "artifactId")).containsExactly("weft-parent");
            assertThat(pom.texts("parent", "version")).isEqualTo(PARENT.texts("version"));
        }
    }

    @Test
    void onlyThingsForUsersAreDeployed() {
        assertThat(POMS)
                .filteredOn(
                        pom -> pom.texts("properties", "maven.deploy.skip").equals(List.of("true")))
                .containsExactlyElementsOf(
                        POMS.stream()
                                .filter(pom -> pom.directory().matches("examples|verify/.*"))
                                .toList());
    }

    @Test
    void bomListsEveryPublishedModule() {
        Set<String> expected = published();
        expected.add("weft-all");
        String[] dependency = {"dependencyManagement", "dependencies", "dependency"};
        assertThat(BOM.below(dependency, "artifactId"))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(BOM.below(dependency, "groupId")).containsOnly("io.weft");
        assertThat(BOM.below(dependency, "version")).containsOnly("${project.version}");
    }

    @Test
    void allIsEveryPublishedModuleThatNeedsNothingFromOutside() {
        Set<String> expected = published();
        POMS.stream().filter(Pom::needsALibrary).map(Pom::artifactId).forEach(expected::remove);
        expected.remove("weft-transport-sim"); // for tests, as weft-testkit is
        assertThat(expected).doesNotContain("weft-testkit", "weft-codec-zstd");
        assertThat(ALL.texts("dependencies", "dependency", "artifactId"))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(ALL.texts("dependencies", "dependency", "scope")).isEmpty();
    }

    @Test
    void guideNamesWhatAllLeavesOut() throws IOException {
        String guide = Files.readString(House.ROOT.resolve("docs/guide/use-it.md"));
        String named = guide.substring(guide.indexOf("Left out are"));
        named = named.substring(0, named.indexOf("```"));
        Set<String> expected = published();
        expected.removeAll(ALL.texts("dependencies", "dependency", "artifactId"));
        assertThat(Pattern.compile("`(weft-[a-z0-9-]+)`").matcher(named).results())
                .extracting(found -> found.group(1))
                .containsExactlyInAnyOrderElementsOf(expected);
    }
}
