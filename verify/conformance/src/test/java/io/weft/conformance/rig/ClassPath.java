package io.weft.conformance.rig;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;

/// The class path of this process, for its children.
public final class ClassPath {
    private static final String GIVEN = System.getProperty("java.class.path");

    private ClassPath() {}

    public static String asGiven() {
        return GIVEN;
    }

    /// With a jar for each directory, as users have it: a jar stays open, whereas each class of a
    /// directory takes a descriptor to be loaded, which a test may have left none of.
    static String ofJars() {
        return Jars.PATH;
    }

    private static final class Jars {
        static final String PATH =
                Arrays.stream(GIVEN.split(File.pathSeparator))
                        .map(Path::of)
                        .map(entry -> Files.isDirectory(entry) ? jar(entry) : entry)
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));

        private static Path jar(Path directory) {
            try {
                Path jar = Files.createTempFile("classes", ".jar");
                jar.toFile().deleteOnExit();
                try (OutputStream file = Files.newOutputStream(jar);
                        JarOutputStream out = new JarOutputStream(file)) {
                    Files.walkFileTree(directory, new Copy(directory, out));
                }
                return jar;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class Copy extends SimpleFileVisitor<Path> {
        private final Path root;
        private final JarOutputStream out;

        Copy(Path root, JarOutputStream out) {
            this.root = root;
            this.out = out;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            String name = root.relativize(file).toString().replace(File.separatorChar, '/');
            out.putNextEntry(new JarEntry(name));
            Files.copy(file, out);
            out.closeEntry();
            return FileVisitResult.CONTINUE;
        }
    }
}
