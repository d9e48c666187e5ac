package io.weft.architecture;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_long;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Loads the classes of a room once more, with their calls of the linker replaced: they are
/// recorded, as native-image's metadata has them, and link to functions that do nothing. Every
/// function is found, whatever system this is. So nothing native is called.
public final class LinkerRecorder extends ClassLoader {
    /// Downcalls and upcalls, as objects of JSON.
    static final Set<String> DOWNCALLS = new TreeSet<>();

    static final Set<String> UPCALLS = new TreeSet<>();

    /// Methods that are called up, which are found by names that are no constants.
    static final Set<String> UPCALL_METHODS = new TreeSet<>();

    private static final String SELF = LinkerRecorder.class.getName();
    private static final ClassDesc THIS = ClassDesc.of(SELF);

    private final Map<String, byte[]> classes = new HashMap<>();

    LinkerRecorder(Room room) throws IOException {
        super(LinkerRecorder.class.getClassLoader());
        for (Path file : room.classes()) {
            ClassFile format = ClassFile.of();
            var type = format.parse(file);
            byte[] changed =
                    format.transformClass(
                            type, ClassTransform.transformingMethodBodies(LinkerRecorder::replace));
            classes.put(type.thisClass().asInternalName().replace('/', '.'), changed);
        }
    }

    /// Initializes all classes.
    ///
    /// @return those that failed, as functions that do nothing do not suit them
    Set<String> run() throws ReflectiveOperationException {
        Set<String> failed = new TreeSet<>();
        for (String name : new TreeSet<>(classes.keySet())) {
            try {
                Class.forName(name, true, this);
            } catch (LinkageError _) {
                failed.add(name);
            }
        }
        return failed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] own = classes.get(name);
        if (own == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, own, 0, own.length);
        }
    }

    private static void replace(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction call) {
            String owner = call.owner().asInternalName();
            String name = call.name().stringValue();
            switch (owner + "." + name + (name.equals("read") ? call.type().stringValue() : "")) {
                case "java/lang/foreign/Linker.downcallHandle",
                        "java/lang/foreign/Linker.upcallStub",
                        "java/lang/foreign/SymbolLookup.find",
                        "java/lang/foreign/SymbolLookup.findOrThrow" -> {
                    // The receiver becomes the first parameter.
                    MethodTypeDesc type =
                            call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
                    code.invokestatic(THIS, name, type);
                }
                case "java/lang/invoke/MethodHandles$Lookup.findStatic" -> {
                    MethodTypeDesc type =
                            call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
                    code.invokestatic(THIS, name, type);
                }
                case "io/weft/ffi/openssl/OpenSsl.libraries" ->
                        code.invokestatic(THIS, name, call.typeSymbol());
                case "io/weft/ffi/openssl/CString.read(J)Ljava/lang/String;" ->
                        code.invokestatic(THIS, "text", MethodTypeDesc.of(CD_String, CD_long));
                default -> code.with(element);
            }
        } else {
            code.with(element);
        }
    }

    // ---- called in place of the linker ----

    /// Records a downcall.
    public static MethodHandle downcallHandle(
            Linker linker,
            MemorySegment symbol,
            FunctionDescriptor type,
            Linker.Option... options) {
        MethodType call = type.toMethodType();
        StringBuilder more = new StringBuilder();
        for (Linker.Option option : options) {
            more.append(more.isEmpty() ? ", \"options\": {" : ", ");
            if (option.equals(Linker.Option.captureCallState("errno"))) {
                more.append("\"captureCallState\": true");
                call = call.insertParameterTypes(0, MemorySegment.class);
            } else if (option.equals(Linker.Option.firstVariadicArg(1))) {
                more.append("\"firstVariadicArg\": 1");
            } else if (option.equals(Linker.Option.firstVariadicArg(2))) {
                more.append("\"firstVariadicArg\": 2");
            } else if (option.equals(Linker.Option.critical(false))) {
                more.append("\"critical\": {\"allowHeapAccess\": false}");
            } else if (option.equals(Linker.Option.critical(true))) {
                more.append("\"critical\": {\"allowHeapAccess\": true}");
            } else {
                throw new AssertionError("option: " + option);
            }
        }
        more.append(more.isEmpty() ? "" : "}");
        DOWNCALLS.add("{" + shape(type) + more + "}");
        return MethodHandles.empty(call);
    }

    /// Records an upcall.
    public static MemorySegment upcallStub(
            Linker linker,
            MethodHandle target,
            FunctionDescriptor type,
            Arena arena,
            Linker.Option... options) {
        UPCALLS.add("{" + shape(type) + "}");
        return MemorySegment.ofAddress(16);
    }

    /// Records a method that is found by its name.
    public static MethodHandle findStatic(
            MethodHandles.Lookup lookup, Class<?> owner, String name, MethodType type)
            throws ReflectiveOperationException {
        if (owner.getSimpleName().equals("SslUpcalls")) {
            UPCALL_METHODS.add(
                    "{\"name\": \"%s\", \"parameterTypes\": [%s]}"
                            .formatted(
                                    name,
                                    type.parameterList().stream()
                                            .map(parameter -> "\"" + parameter.getName() + "\"")
                                            .collect(Collectors.joining(", "))));
        }
        return lookup.findStatic(owner, name, type);
    }

    /// Finds every function.
    public static Optional<MemorySegment> find(SymbolLookup lookup, String name) {
        return Optional.of(MemorySegment.ofAddress(16));
    }

    /// Finds every function.
    public static MemorySegment findOrThrow(SymbolLookup lookup, String name) {
        return MemorySegment.ofAddress(16);
    }

    /// Returns libraries that have every function.
    public static SymbolLookup libraries() {
        return _ -> Optional.empty();
    }

    /// Returns a text in place of one at an address.
    public static String text(long address) {
        return "";
    }

    private static String shape(FunctionDescriptor type) {
        return "\"returnType\": \"%s\", \"parameterTypes\": [%s]"
                .formatted(
                        type.returnLayout().map(LinkerRecorder::name).orElse("void"),
                        type.argumentLayouts().stream()
                                .map(layout -> "\"" + name(layout) + "\"")
                                .collect(Collectors.joining(", ")));
    }

    private static String name(MemoryLayout layout) {
        return switch (layout) {
            case ValueLayout.OfInt _ -> "jint";
            case ValueLayout.OfLong _ -> "jlong";
            case ValueLayout.OfShort _ -> "jshort";
            case AddressLayout _ -> "void*";
            default -> throw new AssertionError("layout: " + layout);
        };
    }
}
