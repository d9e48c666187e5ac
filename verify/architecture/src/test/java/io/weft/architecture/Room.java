package io.weft.architecture;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A directory of the house that holds a module, as the build left it.
///
/// @param directory relative to the root, as the root POM names it
record Room(String directory, Path path, ModuleDescriptor descriptor) {
    String module() {
        return descriptor.name();
    }

    /// The modules of this project that it requires.
    Set<String> arrows() {
        return descriptor.requires().stream()
                .map(ModuleDescriptor.Requires::name)
                .filter(name -> name.startsWith("io.weft."))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Its compiled classes, without the descriptor.
    List<Path> classes() {
        try (Stream<Path> files = Files.walk(path.resolve("target/classes"))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return directory;
    }
}
