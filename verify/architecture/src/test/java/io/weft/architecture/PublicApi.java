package io.weft.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.ExceptionsAttribute;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The types, methods and fields of a module that others may use, one a line, as compiled code
/// refers to them: a line that goes or changes is a break for programs that were compiled before.
///
/// Generics and annotations are left out, as the JVM does not look at them.
final class PublicApi {
    private static final Set<AccessFlag> SHOWN =
            EnumSet.of(
                    AccessFlag.PUBLIC,
                    AccessFlag.PROTECTED,
                    AccessFlag.STATIC,
                    AccessFlag.FINAL,
                    AccessFlag.ABSTRACT);

    private final Set<String> packages;
    private final Map<String, ClassModel> classes = new HashMap<>();

    private PublicApi(Room room) throws IOException {
        packages =
                room.descriptor().exports().stream()
                        .filter(exports -> !exports.isQualified())
                        .map(Exports::source)
                        .collect(Collectors.toSet());
        for (Path file : room.classes()) {
            ClassModel type = ClassFile.of().parse(file);
            classes.put(type.thisClass().asInternalName(), type);
        }
    }

    /// The lines of a module, in order.
    static List<String> of(Room room) {
        try {
            PublicApi api = new PublicApi(room);
            Set<String> lines = new TreeSet<>();
            for (ClassModel type : api.classes.values()) {
                if (api.isPublic(type)) {
                    lines.addAll(lines(type));
                }
            }
            return List.copyOf(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isPublic(ClassModel type) {
        if (!packages.contains(type.thisClass().asSymbol().packageName())) {
            return false;
        }
        // A nested class is what its declaration in the outer one says.
        String name = type.thisClass().asInternalName();
        for (InnerClassInfo inner : inner(type)) {
            if (inner.innerClass().asInternalName().equals(name)) {
                ClassModel outer =
                        inner.outerClass().map(o -> classes.get(o.asInternalName())).orElse(null);
                return outer != null && isVisible(inner.flags()) && isPublic(outer);
            }
        }
        return type.flags().has(AccessFlag.PUBLIC);
    }

    private static List<InnerClassInfo> inner(ClassModel type) {
        return type.findAttribute(Attributes.innerClasses())
                .map(attribute -> attribute.classes())
                .orElse(List.of());
    }

    private static boolean isVisible(Set<AccessFlag> flags) {
        return (flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED))
                && !flags.contains(AccessFlag.SYNTHETIC);
    }

    private static List<String> lines(ClassModel type) {
        List<String> lines = new ArrayList<>();
        String name = name(type.thisClass().asSymbol());
        lines.add(name + " : " + head(type));
        type.fields().stream()
                .filter(field -> isVisible(field.flags().flags()))
                .forEach(
                        field ->
                                lines.add(
                                        "%s.%s : %s%s"
                                                .formatted(
                                                        name,
                                                        field.fieldName().stringValue(),
                                                        flags(field.flags().flags()),
                                                        name(field.fieldTypeSymbol()))));
        type.methods().stream()
                .filter(method -> isVisible(method.flags().flags()))
                .filter(method -> !method.methodName().equalsString("<clinit>"))
                .forEach(
                        method -> {
                            MethodTypeDesc of = method.methodTypeSymbol();
                            String parameters =
                                    of.parameterList().stream()
                                            .map(PublicApi::name)
                                            .collect(Collectors.joining(", ", "(", ")"));
                            String thrown =
                                    method.findAttribute(Attributes.exceptions())
                                            .map(PublicApi::exceptions)
                                            .orElse("");
                            lines.add(
                                    "%s.%s%s : %s%s%s"
                                            .formatted(
                                                    name,
                                                    method.methodName().stringValue(),
                                                    parameters,
                                                    flags(method.flags().flags()),
                                                    name(of.returnType()),
                                                    thrown));
                        });
        return lines;
    }

    private static String exceptions(ExceptionsAttribute attribute) {
        return attribute.exceptions().stream()
                .map(entry -> name(entry.asSymbol()))
                .sorted()
                .collect(Collectors.joining(", ", " throws ", ""));
    }

    /// Kind, superclass and interfaces.
    private static String head(ClassModel type) {
        Set<AccessFlag> flags = new TreeSet<>(type.flags().flags());
        inner(type).stream()
                .filter(i -> i.innerClass().equals(type.thisClass()))
                .forEach(
                        i -> {
                            flags.clear();
                            flags.addAll(i.flags());
                        });
        String kind =
                flags.contains(AccessFlag.INTERFACE)
                        ? "interface"
                        : flags.contains(AccessFlag.ENUM) ? "enum" : "class";
        if (type.findAttribute(Attributes.record()).isPresent()) {
            kind = "record";
        }
        boolean sealed = type.findAttribute(Attributes.permittedSubclasses()).isPresent();
        List<String> above = new ArrayList<>();
        type.superclass()
                .map(ClassEntry::asSymbol)
                .map(PublicApi::name)
                .filter(superclass -> !superclass.startsWith("java.lang."))
                .ifPresent(above::add);
        type.interfaces().stream().map(i -> name(i.asSymbol())).sorted().forEach(above::add);
        return flags(flags)
                + (sealed ? "sealed " : "")
                + kind
                + (above.isEmpty() ? "" : " of " + String.join(", ", above));
    }

    private static String flags(Set<AccessFlag> flags) {
        return flags.stream()
                .filter(SHOWN::contains)
                .filter(flag -> flag != AccessFlag.PUBLIC)
                .map(flag -> flag.name().toLowerCase(java.util.Locale.ROOT))
                .sorted()
                .map(flag -> flag + " ")
                .collect(Collectors.joining());
    }

    private static String name(ClassDesc type) {
        if (type.isArray()) {
            return name(type.componentType()) + "[]";
        }
        if (type.isPrimitive() || type.packageName().isEmpty()) {
            return type.displayName();
        }
        return type.packageName() + "." + type.displayName().replace('$', '.');
    }
}
