package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Imports run one way: between modules, between packages of one module, and between files.
class CirclesTest {
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(io\\.weft\\.[\\w.]+);", Pattern.MULTILINE);

    private static final int MOST_FILES = 40;

    /// Modules two packages of which know each other, with the reason in
    /// docs/design/0039-which-way-imports-run.md. None is in core.
    private static final Set<String> WITH_ONE_ANOTHER =
            Set.of("codec/dns", "codec/mqtt", "http/server", "resolver/names", "tls/machine");

    private record Source(String directory, String folder, String name, Set<String> imports) {}

    private static final Map<String, Source> SOURCES = sources();

    private static Map<String, Source> sources() {
        Map<String, Source> sources = new TreeMap<>();
        for (String directory : House.directories()) {
            Path main = House.ROOT.resolve(directory).resolve("src/main/java");
            if (!Files.isDirectory(main)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(main)) {
                files.filter(f -> f.toString().endsWith(".java"))
                        .filter(f -> !f.endsWith("module-info.java"))
                        .map(f -> source(directory, main, f))
                        .forEach(s -> sources.put(s.name(), s));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sources;
    }

    private static Source source(String directory, Path main, Path file) {
        try {
            Set<String> imports = new TreeSet<>();
            Matcher line = IMPORT.matcher(Files.readString(file));
            while (line.find()) {
                imports.add(line.group(1));
            }
            String name = main.relativize(file).toString().replace('/', '.');
            name = name.substring(0, name.length() - ".java".length());
            return new Source(
                    directory, name.substring(0, name.lastIndexOf('.')), name, Set.copyOf(imports));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The file of what is imported: a type, a type within it, or a static member of either.
    private static Stream<Source> imported(Source source) {
        return source.imports().stream()
                .flatMap(
                        name ->
                                Stream.iterate(
                                                name,
                                                n -> n.contains("."),
                                                n -> n.substring(0, n.lastIndexOf('.')))
                                        .filter(SOURCES::containsKey)
                                        .limit(1))
                .map(SOURCES::get);
    }

    /// The nodes that are on a circle.
    private static Set<String> circles(Map<String, Set<String>> arrows) {
        Map<String, Set<String>> left = new TreeMap<>(arrows);
        // Whatever has no arrow to what is left, or none from it, is on no circle.
        boolean changed = true;
        while (changed) {
            Set<String> ends =
                    left.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
            changed =
                    left.entrySet()
                            .removeIf(
                                    e ->
                                            !ends.contains(e.getKey())
                                                    || e.getValue().stream()
                                                            .noneMatch(left.keySet()::contains));
        }
        return left.keySet();
    }

    @Test
    void noFileImportsAFileThatImportsIt() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (Source source : SOURCES.values()) {
            arrows.put(
                    source.name(),
                    imported(source)
                            .map(Source::name)
                            .filter(n -> !n.equals(source.name()))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        assertThat(arrows).hasSizeGreaterThan(1_000);
        assertThat(circles(arrows)).isEmpty();
    }

    @Test
    void noPackageOfAModuleImportsOneThatImportsIt() {
        Map<String, Map<String, Set<String>>> modules = new TreeMap<>();
        for (Source source : SOURCES.values()) {
            modules.computeIfAbsent(source.directory(), _ -> new TreeMap<>())
                    .computeIfAbsent(source.folder(), _ -> new TreeSet<>())
                    .addAll(
                            imported(source)
                                    .filter(s -> s.directory().equals(source.directory()))
                                    .map(Source::folder)
                                    .filter(f -> !f.equals(source.folder()))
                                    .toList());
        }
        Set<String> withCircles = new HashSet<>();
        modules.forEach(
                (directory, arrows) -> {
                    if (!circles(arrows).isEmpty()) {
                        withCircles.add(directory);
                    }
                });
        assertThat(withCircles).isEqualTo(WITH_ONE_ANOTHER);
        assertThat(WITH_ONE_ANOTHER).noneMatch(directory -> directory.startsWith("core/"));
    }

    @Test
    void circlesAreFound() {
        assertThat(
                        circles(
                                Map.of(
                                        "above", Set.of("a"),
                                        "a", Set.of("b"),
                                        "b", Set.of("c"),
                                        "c", Set.of("a", "below"),
                                        "below", Set.of())))
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(circles(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of()))).isEmpty();
    }

    @Test
    void packagesOfTheCoreHaveFewFiles() {
        Map<String, Long> files =
                SOURCES.values().stream()
                        .filter(s -> s.directory().startsWith("core/"))
                        .collect(Collectors.groupingBy(Source::folder, Collectors.counting()));
        assertThat(files).hasSizeGreaterThan(10);
        assertThat(files.entrySet()).allMatch(e -> e.getValue() <= MOST_FILES);
    }

    @Test
    void noModuleRequiresOneOfAHigherFloor() {
        // | 1 | `core/buffer` | `io.weft.buffer` | `io.weft.ffi` |
        Matcher row =
                Pattern.compile(
                                "^\\| *(\\d) *\\| *`[^`|]+` *\\| *`(io\\.weft\\.[^`|]+)`"
                                        + " *\\|([^|]*)\\|",
                                Pattern.MULTILINE)
                        .matcher(House.text("docs/modules.md"));
        Map<String, Integer> floors = new TreeMap<>();
        Map<String, List<String>> required = new TreeMap<>();
        while (row.find()) {
            floors.put(row.group(2), Integer.parseInt(row.group(1)));
            required.put(
                    row.group(2),
                    Stream.of(row.group(3).replace("`", "").split(",", -1))
                            .map(String::strip)
                            .filter(n -> !n.isEmpty())
                            .toList());
        }
        assertThat(floors).hasSizeGreaterThan(50);
        required.forEach(
                (module, names) ->
                        assertThat(names)
                                .as(module)
                                .allMatch(
                                        n ->
                                                floors.getOrDefault(n, Integer.MAX_VALUE)
                                                        <= floors.getOrDefault(module, 0)));
    }
}
