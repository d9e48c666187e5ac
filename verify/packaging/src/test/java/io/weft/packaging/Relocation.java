package io.weft.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/// Puts classes and resources into other packages, as tools that shade do: names of classes,
/// descriptors, strings that begin with the package, and names of services.
///
/// Everything that a class file names is a text in its constant pool (JVMS 4.4).
///
/// @param from as in names of classes, `io.weft`
record Relocation(String from, String to) {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    String relocated(String text) {
        String slashes = from.replace('.', '/');
        return text.replaceAll("(^|[L\\[<;:(])" + slashes + "/", "$1" + to.replace('.', '/') + "/")
                .replaceAll("^" + Pattern.quote(from) + "\\.", to + ".");
    }

    /// Relocates all entries of `jar` into a directory, but its module descriptor.
    void unpack(Path jar, Path directory) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().filter(e -> !e.isDirectory()).toList()) {
                if (entry.getName().matches("META-INF/MANIFEST.MF|module-info.class")) {
                    continue;
                }
                String services = "META-INF/services/";
                boolean service = entry.getName().startsWith(services);
                String name =
                        service
                                ? services + relocated(entry.getName().substring(services.length()))
                                : relocated(entry.getName());
                Path target = directory.resolve(name);
                Files.createDirectories(target.getParent());
                try (InputStream in = file.getInputStream(entry)) {
                    if (name.endsWith(".class")) {
                        copyClass(in, target);
                    } else if (service) {
                        append(target, new String(in.readAllBytes(), UTF_8));
                    } else {
                        Files.write(target, in.readAllBytes());
                    }
                }
            }
        }
    }

    /// Relocates a class of the class path into a directory.
    void copyClass(Class<?> type, Path directory) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path target = directory.resolve(relocated(name));
        Files.createDirectories(target.getParent());
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
            copyClass(Objects.requireNonNull(in), target);
        }
    }

    private void copyClass(InputStream in, Path target) throws IOException {
        Files.write(target, ofClass(in));
    }

    /// Several jars provide the same service.
    private void append(Path target, String providers) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.exists(target)) {
            lines.addAll(Files.readAllLines(target));
        }
        providers.lines().map(this::relocated).forEach(lines::add);
        Files.write(target, lines);
    }

    private byte[] ofClass(InputStream file) throws IOException {
        var in = new DataInputStream(file);
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeLong(in.readLong()); // magic and version
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int index = 1; index < count; index++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            if (tag == UTF8) {
                out.writeUTF(relocated(in.readUTF()));
            } else {
                out.write(in.readNBytes(size(tag)));
                index += tag == LONG || tag == DOUBLE ? 1 : 0;
            }
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }

    /// The octets of a constant after its tag.
    private static int size(int tag) {
        return switch (tag) {
            case 7, 8, 16, 19, 20 -> 2; // class, string, method type, module, package
            case 15 -> 3; // method handle
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4; // numbers, members, dynamic
            case LONG, DOUBLE -> 8;
            default -> throw new IllegalArgumentException("tag: " + tag);
        };
    }
}
