package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every codec goes through the codec lab: what reads a peer's bytes without having been there does
/// not get in.
class LabTest {
    private static final String LAB = "io/weft/testkit/CodecLab";

    /// The interfaces and classes that codecs implement or extend.
    private static final Set<String> SHAPES =
            Set.of(
                    "io/weft/codec/Decoder",
                    "io/weft/codec/Encoder",
                    "io/weft/codec/MessageDecoder",
                    "io/weft/codec/MessageEncoder",
                    "io/weft/codec/compression/Decompressor",
                    "io/weft/codec/compression/Compressor");

    private static List<ClassModel> classes(Path directory) {
        if (!Files.isDirectory(directory)) {
            return new ArrayList<>();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<ClassModel> classes = new ArrayList<>();
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                classes.add(ClassFile.of().parse(file));
            }
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(ClassModel type) {
        return type.thisClass().asInternalName();
    }

    private static Set<String> mentioned(ClassModel type) {
        Set<String> names = new HashSet<>();
        type.constantPool()
                .forEach(
                        entry -> {
                            if (entry instanceof ClassEntry c) {
                                names.add(c.asInternalName());
                            }
                        });
        return names;
    }

    /// Codecs by their shape or by their name, which others can make.
    private static Set<String> codecs() {
        Map<String, ClassModel> all = new HashMap<>();
        for (Room room : House.ROOMS) {
            if (room.directory().matches("(codec|http|resolver)/.*")) {
                classes(room.path().resolve("target/classes")).forEach(c -> all.put(name(c), c));
            }
        }
        Set<String> codecs = new HashSet<>();
        all.forEach(
                (name, type) -> {
                    boolean concrete =
                            type.flags().has(AccessFlag.PUBLIC)
                                    && !type.flags().has(AccessFlag.ABSTRACT)
                                    && !type.flags().has(AccessFlag.INTERFACE);
                    if (concrete && (isShaped(type, all) || name.matches(".*(En|De)coder"))) {
                        codecs.add(name);
                    }
                });
        return codecs;
    }

    private static boolean isShaped(ClassModel type, Map<String, ClassModel> all) {
        if (type.interfaces().stream().anyMatch(i -> SHAPES.contains(i.asInternalName()))) {
            return true;
        }
        String parent = type.superclass().map(ClassEntry::asInternalName).orElse("");
        ClassModel above = all.get(parent);
        return SHAPES.contains(parent) || (above != null && isShaped(above, all));
    }

    /// Classes that labs mention, themselves or by a class of the same tests.
    private static Set<String> examined() {
        Set<String> examined = new HashSet<>();
        for (Room room : House.ROOMS) {
            Map<String, ClassModel> tests = new HashMap<>();
            classes(room.path().resolve("target/test-classes")).forEach(c -> tests.put(name(c), c));
            for (ClassModel test : tests.values()) {
                boolean lab =
                        test.interfaces().stream().anyMatch(i -> i.asInternalName().equals(LAB));
                if (lab) {
                    for (String mentioned : mentioned(test)) {
                        examined.add(mentioned);
                        ClassModel helper = tests.get(mentioned);
                        if (helper != null) {
                            examined.addAll(mentioned(helper));
                        }
                    }
                }
            }
        }
        return examined;
    }

    @Test
    void everyCodecIsExaminedByALab() {
        assertThat(codecs())
                .contains(
                        "io/weft/codec/framing/LineDecoder", "io/weft/http/http1/ResponseEncoder");
        assertThat(examined()).containsAll(codecs());
    }
}
