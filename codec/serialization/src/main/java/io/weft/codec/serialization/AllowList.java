package io.weft.codec.serialization;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The classes that a peer may name. It is about names: what is not on it is not even looked up.
///
/// Strings, the boxes of primitives, `Number` and `Enum` as their superclasses, and `Object` itself
/// are on every list; so are arrays of what is on it. The superclasses of a class have to be there
/// as well where they are serializable. Proxies are on no list.
///
/// Every class here runs code of its own while it is read (`readObject`, `readResolve`, and of a
/// map the `hashCode` and `equals` of its keys), with the contents that the peer chose: put data
/// here, and never a package that you did not write.
///
/// **Hash codes** take time by all that is in a key, and a peer can put one object into others many
/// times. [SerializationLimits#references] bounds that. The bound knows collections, arrays and the
/// fields of other classes, but not those that their module does not open to this one, and not what
/// an object has got since a part of its own was read which refers to it. Where peers are hostile,
/// list no collections that hash together with classes that take parts of any type.
///
/// **Threads.** Immutable.
public final class AllowList {
    private static final Set<String> ALWAYS =
            Set.of(
                    "java.lang.Object",
                    "java.lang.String",
                    "java.lang.Enum",
                    "java.lang.Number",
                    "java.lang.Boolean",
                    "java.lang.Byte",
                    "java.lang.Character",
                    "java.lang.Short",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Float",
                    "java.lang.Double");

    private static final String PRIMITIVES = "ZBCSIJFD";
    private static final Pattern NAME = Pattern.compile("\\p{javaJavaIdentifierStart}[^*\\s]*");
    private static final Pattern PLATFORM =
            Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*\\*");

    private final Set<String> names = new HashSet<>(ALWAYS);

    /// Packages with the dot behind them, whose classes are here.
    private final Set<String> packages = new HashSet<>();

    /// The same, with the packages below.
    private final Set<String> trees = new HashSet<>();

    private AllowList() {}

    /// These classes.
    public static AllowList of(Class<?>... classes) {
        return patterns(Arrays.stream(classes).map(Class::getName).toArray(String[]::new));
    }

    /// Classes by name, as [Class#getName] has it: `com.example.Point`; the classes of a package:
    /// `com.example.*`; or those of the packages below as well: `com.example.**`.
    ///
    /// @throws IllegalArgumentException when a pattern is of another shape, allows packages of the
    ///     platform, or all below one name, as `com.**` would
    public static AllowList patterns(String... patterns) {
        AllowList list = new AllowList();
        for (String pattern : patterns) {
            list.add(pattern);
        }
        return list;
    }

    /// Those of this list, and these.
    public AllowList and(AllowList other) {
        AllowList both = new AllowList();
        for (AllowList list : List.of(this, other)) {
            both.names.addAll(list.names);
            both.packages.addAll(list.packages);
            both.trees.addAll(list.trees);
        }
        return both;
    }

    private void add(String pattern) {
        int end = pattern.endsWith(".**") ? 2 : pattern.endsWith(".*") ? 1 : 0;
        String name = pattern.substring(0, pattern.length() - end);
        boolean tooWide = end == 2 && name.indexOf('.') == name.length() - 1;
        if (tooWide || !NAME.matcher(name).matches() || PLATFORM.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "pattern: "
                            + pattern
                            + " (expected: a class, or package.* or package.** of one's own)");
        }
        switch (end) {
            case 0 -> names.add(name);
            case 1 -> packages.add(name);
            default -> trees.add(name);
        }
    }

    /// Tells if a class of this name may be looked up.
    ///
    /// @param name as a stream has it: of arrays too, as `[Ljava.lang.String;`
    public boolean allows(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return isListed(name);
        }
        String element = name.substring(dimensions);
        if (element.length() == 1) {
            return PRIMITIVES.contains(element);
        }
        return element.startsWith("L")
                && element.endsWith(";")
                && isListed(element.substring(1, element.length() - 1));
    }

    private boolean isListed(String name) {
        if (names.contains(name)) {
            return true;
        }
        int dot = name.lastIndexOf('.') + 1;
        if (dot == 0) {
            return false;
        }
        if (packages.contains(name.substring(0, dot))) {
            return true;
        }
        for (; dot > 0; dot = name.lastIndexOf('.', dot - 2) + 1) {
            if (trees.contains(name.substring(0, dot))) {
                return true;
            }
        }
        return false;
    }
}
