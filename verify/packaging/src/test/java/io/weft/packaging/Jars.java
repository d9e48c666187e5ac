package io.weft.packaging;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// The jars of the class path.
final class Jars {
    private Jars() {}

    static List<Path> all() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .map(Path::of)
                .toList();
    }

    /// Those of Weft, as the build packaged them.
    static List<Path> ours() {
        List<Path> ours =
                all().stream()
                        .filter(jar -> jar.getFileName().toString().startsWith("weft-"))
                        .toList();
        if (ours.isEmpty()) {
            throw new IllegalStateException(
                    "no jar of Weft on the class path (expected: ./mvnw verify packages them)");
        }
        return ours;
    }

    static Manifest manifest(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest == null ? new Manifest() : manifest;
        }
    }

    static @Nullable String header(Path jar, String name) throws IOException {
        return manifest(jar).getMainAttributes().getValue(name);
    }
}
