package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// No module reaches around the JVM's safety by `Unsafe` or JNI, and only `io.weft.ffi` by the
/// restricted methods of the FFM API.
///
/// Looks at constant pools: they name whatever a class calls, also by method references and in
/// lambdas.
class NativeCallsTest {
    private static final Set<String> RESTRICTED = restrictedMethods();
    private static final Set<String> LIBRARY_LOADING =
            Set.of(
                    "java/lang/System.load(Ljava/lang/String;)V",
                    "java/lang/System.loadLibrary(Ljava/lang/String;)V",
                    "java/lang/Runtime.load(Ljava/lang/String;)V",
                    "java/lang/Runtime.loadLibrary(Ljava/lang/String;)V");

    /// The methods that the running JDK itself marks as restricted, so that those of later JDKs are
    /// known as well. The annotation is internal but visible in class files;
    /// `knowsWhatIsRestricted` fails should that change.
    private static Set<String> restrictedMethods() {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        try (Stream<Path> files = Files.walk(base)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(NativeCallsTest::read)
                    .flatMap(type -> type.methods().stream())
                    .filter(NativeCallsTest::isRestricted)
                    .map(NativeCallsTest::signature)
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClassModel read(Path file) {
        try {
            return ClassFile.of().parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRestricted(MethodModel method) {
        return method
                .findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(RuntimeVisibleAnnotationsAttribute::annotations)
                .orElse(List.of())
                .stream()
                .anyMatch(a -> a.className().equalsString("Ljdk/internal/javac/Restricted;"));
    }

    private static String signature(MethodModel method) {
        String type = method.parent().orElseThrow().thisClass().asInternalName();
        return type + "." + method.methodName() + method.methodType();
    }

    private static Stream<String> calls(ClassModel type) {
        return StreamSupport.stream(type.constantPool().spliterator(), false)
                .flatMap(e -> e instanceof MemberRefEntry member ? Stream.of(member) : Stream.of())
                .map(m -> m.owner().asInternalName() + "." + m.name() + m.type());
    }

    private static Stream<String> texts(ClassModel type) {
        return StreamSupport.stream(type.constantPool().spliterator(), false)
                .flatMap(
                        e ->
                                e instanceof Utf8Entry text
                                        ? Stream.of(text.stringValue())
                                        : Stream.of());
    }

    /// `class: what` for each thing that `find` finds in a class of the room.
    private static List<String> found(Room room, Function<ClassModel, Stream<String>> find) {
        assertThat(room.classes()).isNotEmpty();
        return room.classes().stream()
                .map(NativeCallsTest::read)
                .flatMap(
                        type ->
                                find.apply(type)
                                        .map(
                                                what ->
                                                        type.thisClass().asInternalName()
                                                                + ": "
                                                                + what))
                .toList();
    }

    private static List<String> restrictedCalls(Room room) {
        return found(room, type -> calls(type).filter(RESTRICTED::contains));
    }

    @Test
    void knowsWhatIsRestricted() {
        assertThat(RESTRICTED)
                .contains(
                        "java/lang/foreign/Linker.downcallHandle(Ljava/lang/foreign/FunctionDescriptor;"
                                + "[Ljava/lang/foreign/Linker$Option;)Ljava/lang/invoke/MethodHandle;",
                        "java/lang/foreign/MemorySegment.reinterpret(J)Ljava/lang/foreign/MemorySegment;")
                .containsAll(LIBRARY_LOADING);
    }

    /// Or the tests below would find nothing, whatever there was.
    @Test
    void findsWhatItLooksFor() {
        Path jdk = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        ClassModel unsafe = read(jdk.resolve("jdk.unsupported/sun/misc/Unsafe.class"));
        assertThat(unsafeNames(unsafe)).isNotEmpty();
        ClassModel object = read(jdk.resolve("java.base/java/lang/Object.class"));
        assertThat(nativeMethods(object)).contains("java/lang/Object.notify()V");
    }

    @Test
    void ffiMakesRestrictedCallsAndNobodyElse() {
        assertThat(House.ROOMS)
                .filteredOn(room -> !restrictedCalls(room).isEmpty())
                .extracting(Room::module)
                .containsExactly("io.weft.ffi");
    }

    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void nothingNamesUnsafe(Room room) {
        assertThat(found(room, NativeCallsTest::unsafeNames)).isEmpty();
    }

    private static Stream<String> unsafeNames(ClassModel type) {
        return texts(type).filter(text -> text.matches("(?s).*misc[./]Unsafe.*"));
    }

    @ParameterizedTest
    @FieldSource("io.weft.architecture.House#ROOMS")
    void nothingUsesJni(Room room) {
        assertThat(found(room, type -> calls(type).filter(LIBRARY_LOADING::contains))).isEmpty();
        assertThat(found(room, NativeCallsTest::nativeMethods)).isEmpty();
    }

    private static Stream<String> nativeMethods(ClassModel type) {
        return type.methods().stream()
                .filter(method -> method.flags().has(AccessFlag.NATIVE))
                .map(NativeCallsTest::signature);
    }
}
