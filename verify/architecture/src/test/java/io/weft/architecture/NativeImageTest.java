package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The metadata of native-image in the jars is what the code needs: downcalls and upcalls as the
/// linker is asked for them, methods that are found by a name that is no constant, and resources.
/// Services need none, as native-image finds them itself.
@EnabledOnOs(value = OS.LINUX, disabledReason = "system calls are linked on Linux only")
class NativeImageTest {
    private static final String FOREIGN =
            "core/ffi/src/main/resources/META-INF/native-image/io.weft/weft-ffi/"
                    + "reachability-metadata.json";

    @BeforeAll
    static void link() throws Exception {
        Room ffi =
                House.ROOMS.stream()
                        .filter(room -> room.directory().equals("core/ffi"))
                        .findAny()
                        .orElseThrow();
        LinkerRecorder recorder = new LinkerRecorder(ffi);
        // It makes a BIO of functions that do nothing, and notices when it has linked all of them.
        assertThat(recorder.run()).isSubsetOf("io.weft.ffi.openssl.SslBio$Sink");
        // OpenSSL is linked when it is first asked for, kqueue when a library of it is named.
        Class<?> openssl = Class.forName("io.weft.ffi.openssl.OpenSsl", true, recorder);
        Method initialize = openssl.getDeclaredMethod("initialize", SymbolLookup.class);
        initialize.setAccessible(true);
        try {
            initialize.invoke(null, LinkerRecorder.libraries());
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).hasMessageContaining("expected: OpenSSL 3");
        }
        Class.forName("io.weft.ffi.Kqueue", true, recorder).getMethod("ofSystem").invoke(null);
        // Calls of BSD are linked by whoever makes them, which nobody does on Linux.
        Class<?> bsd = Class.forName("io.weft.ffi.LinkedBsdCalls", true, recorder);
        Constructor<?> linked = bsd.getDeclaredConstructor();
        linked.setAccessible(true);
        Object _ = linked.newInstance();
    }

    private static String json() {
        return """
                {
                  "reflection": [
                    {
                      "type": "io.weft.ffi.openssl.SslUpcalls",
                      "methods": [
                %s
                      ]
                    }
                  ],
                  "foreign": {
                    "downcalls": [
                %s
                    ],
                    "upcalls": [
                %s
                    ]
                  }
                }
                """
                .formatted(
                        lines(LinkerRecorder.UPCALL_METHODS, "        "),
                        lines(LinkerRecorder.DOWNCALLS, "      "),
                        lines(LinkerRecorder.UPCALLS, "      "));
    }

    private static String lines(Set<String> objects, String indent) {
        return objects.stream().map(object -> indent + object).collect(Collectors.joining(",\n"));
    }

    @Test
    void callsOfTheLinkerAreInTheMetadata() throws IOException {
        assertThat(LinkerRecorder.DOWNCALLS).hasSizeGreaterThan(30);
        assertThat(LinkerRecorder.UPCALLS).hasSizeGreaterThan(3);
        Path file = House.ROOT.resolve(FOREIGN);
        if (Boolean.getBoolean("io.weft.api.write")) {
            Files.writeString(file, json());
        }
        assertThat(Files.readString(file)).isEqualTo(json());
    }

    private static boolean asksForResources(Path file) {
        try {
            ClassModel type = ClassFile.of().parse(file);
            return StreamSupport.stream(type.constantPool().spliterator(), false)
                    .anyMatch(
                            entry ->
                                    entry instanceof MemberRefEntry member
                                            && member.name()
                                                    .stringValue()
                                                    .startsWith("getResource"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void resourcesOfRoomsThatAskForThemAreInTheMetadata() throws IOException {
        List<Room> rooms =
                House.ROOMS.stream()
                        .filter(room -> !room.directory().matches("examples|core/testkit"))
                        .filter(
                                room ->
                                        room.classes().stream()
                                                .anyMatch(NativeImageTest::asksForResources))
                        .toList();
        assertThat(rooms).extracting(Room::directory).contains("observe/jfr");
        for (Room room : rooms) {
            String artifact = Pom.of(room.directory()).artifactId();
            String metadata =
                    Files.readString(
                            room.path()
                                    .resolve("src/main/resources/META-INF/native-image/io.weft")
                                    .resolve(artifact)
                                    .resolve("reachability-metadata.json"));
            for (String resource : resources(room)) {
                assertThat(metadata)
                        .as(room.directory())
                        .contains("{\"glob\": \"" + resource + "\"}");
            }
        }
    }

    private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup.";

    /// Ways to classes and members whose names `native-image` may not see.
    private static final Set<String> REFLECTION =
            Set.of(
                    "java/lang/Class.forName",
                    "java/lang/Class.getDeclaredConstructor",
                    "java/lang/Class.getDeclaredField",
                    "java/lang/Class.getDeclaredMethod",
                    "java/lang/Class.getDeclaredMethods",
                    "java/lang/Class.getMethod",
                    "java/lang/Class.getMethods",
                    "java/lang/ClassLoader.loadClass",
                    LOOKUP + "findClass",
                    LOOKUP + "findConstructor",
                    LOOKUP + "findSpecial",
                    LOOKUP + "findStatic",
                    LOOKUP + "findVirtual",
                    "java/lang/reflect/Proxy.newProxyInstance",
                    "java/io/ObjectInputStream.readObject",
                    "java/util/ResourceBundle.getBundle");

    private static Stream<String> reflection(Path file) {
        try {
            ClassModel type = ClassFile.of().parse(file);
            return StreamSupport.stream(type.constantPool().spliterator(), false)
                    .filter(MemberRefEntry.class::isInstance)
                    .map(MemberRefEntry.class::cast)
                    .map(
                            member ->
                                    member.owner().asInternalName()
                                            + "."
                                            + member.name().stringValue())
                    .filter(REFLECTION::contains)
                    .map(call -> type.thisClass().asInternalName() + ": " + call);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nothingElseIsFoundByName() {
        Set<String> found =
                House.ROOMS.stream()
                        .filter(room -> !room.directory().matches("examples|core/testkit"))
                        .flatMap(room -> room.classes().stream())
                        .flatMap(NativeImageTest::reflection)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found)
                .containsExactly(
                        // Of a handler's class; what it is not shown it takes for overridden.
                        "io/weft/channel/HandlerMask: java/lang/Class.getMethod",
                        // Of an object's class; if it is not shown, parts are counted.
                        "io/weft/codec/serialization/Expansion$2: java/lang/Class.getMethod",
                        // Classes of users, which they allow and register.
                        "io/weft/codec/serialization/FilteredInput: java/lang/Class.forName",
                        // Names that are constants, which native-image sees.
                        "io/weft/ffi/call/Downcall: " + LOOKUP + "findStatic",
                        "io/weft/ffi/call/KernelFaults: " + LOOKUP + "findVirtual",
                        // In the metadata.
                        "io/weft/ffi/openssl/SslUpcalls: " + LOOKUP + "findStatic");
    }

    private static Set<String> resources(Room room) throws IOException {
        Path root = room.path().resolve("src/main/resources");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !name.startsWith("META-INF/"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
