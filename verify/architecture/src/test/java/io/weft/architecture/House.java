package io.weft.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// The project as the build left it.
final class House {
    static final Path ROOT = root();
    static final List<Room> ROOMS = rooms();

    private House() {}

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("mvnw"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException(
                        "no mvnw in or above " + Path.of("").toAbsolutePath());
            }
        }
        return directory;
    }

    /// Every directory that the root POM builds.
    static List<String> directories() {
        NodeList modules = pom(ROOT).getElementsByTagName("module");
        List<String> directories = new ArrayList<>();
        for (int i = 0; i < modules.getLength(); i++) {
            directories.add(modules.item(i).getTextContent().strip());
        }
        return directories;
    }

    static Element pom(Path directory) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(directory.resolve("pom.xml").toFile())
                    .getDocumentElement();
        } catch (Exception e) {
            throw new IllegalStateException(directory + "/pom.xml", e);
        }
    }

    private static List<Room> rooms() {
        return directories().stream()
                .filter(
                        d ->
                                Files.exists(
                                        ROOT.resolve(d).resolve("src/main/java/module-info.java")))
                .map(House::room)
                .toList();
    }

    private static Room room(String directory) {
        Path path = ROOT.resolve(directory);
        Set<ModuleReference> built = ModuleFinder.of(path.resolve("target/classes")).findAll();
        if (built.size() != 1) {
            throw new IllegalStateException(
                    directory
                            + ": not built (expected: ./mvnw verify builds it before this module)");
        }
        return new Room(directory, path, built.iterator().next().descriptor());
    }

    static String text(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All files of the project that end in `suffix`, without what the build made.
    static List<Path> files(String suffix) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(
                    ROOT,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path directory, BasicFileAttributes attributes) {
                            return directory.endsWith("target") || directory.endsWith(".git")
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (file.toString().endsWith(suffix)) {
                                found.add(file);
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(null);
        return found;
    }
}
