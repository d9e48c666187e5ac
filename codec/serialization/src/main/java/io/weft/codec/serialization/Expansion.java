package io.weft.codec.serialization;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Sizes of objects as `hashCode` walks through them: an object that is in others twice counts
/// twice, with all that is in it. So a few references to shared objects, level by level, make an
/// object of more parts than can ever be walked through.
final class Expansion {
    private static final ClassValue<List<Field>> FIELDS =
            new ClassValue<>() {
                @Override
                protected List<Field> computeValue(Class<?> type) {
                    return Stream.<Class<?>>iterate(type, t -> t != null, Class::getSuperclass)
                            .flatMap(t -> Arrays.stream(t.getDeclaredFields()))
                            .filter(f -> !Modifier.isStatic(f.getModifiers()))
                            .filter(f -> !isLeaf(f.getType()))
                            .filter(AccessibleObject::trySetAccessible)
                            .toList();
                }
            };

    /// Classes that have the hash code of an object, which does not look at parts.
    private static final ClassValue<Boolean> IDENTITY =
            new ClassValue<>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    try {
                        return type.getMethod("hashCode").getDeclaringClass() == Object.class;
                    } catch (NoSuchMethodException | LinkageError e) {
                        return false; // reflection does not show it: its parts are counted then
                    }
                }
            };

    private final IdentityHashMap<Object, Long> sizes = new IdentityHashMap<>();

    private static boolean isLeaf(Class<?> type) {
        return type.isPrimitive()
                || type == String.class
                || type.isEnum()
                || type == Boolean.class
                || type == Character.class
                || (Number.class.isAssignableFrom(type) && type != Number.class)
                || (type.isArray() && type.componentType().isPrimitive());
    }

    /// Measures an object whose parts have been measured before, but those that it is in itself.
    ///
    /// @param most beyond which it does not matter how large it is
    long add(Object object, long most) {
        Class<?> type = object.getClass();
        if (isLeaf(type) || (!type.isArray() && IDENTITY.get(type))) {
            return 1;
        }
        long size;
        try {
            size = measure(object, most);
        } catch (RuntimeException e) {
            return 1; // a view of a collection that is being read itself
        }
        sizes.put(object, size);
        return size;
    }

    private long measure(Object object, long most) {
        return 1
                + switch (object) {
                    case Collection<?> elements -> sum(elements, 1, most);
                    case Map<?, ?> map -> sum(map.keySet(), 1, most) + sum(map.values(), 1, most);
                    case Object[] elements -> sum(Arrays.asList(elements), 1, most);
                    // A class may have fields of its own that are not in the stream.
                    default -> sum(fields(object), 0, most);
                };
    }

    /// @param leaf the size of what has none
    private long sum(Iterable<?> parts, long leaf, long most) {
        long sum = 0;
        for (Object part : parts) {
            if (sum > most) {
                break;
            }
            sum += sizes.getOrDefault(part, leaf);
        }
        return sum;
    }

    private static List<@Nullable Object> fields(Object object) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Field field : FIELDS.get(object.getClass())) {
            values.add(get(field, object));
        }
        return values;
    }

    private static @Nullable Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError("field: " + field + " (expected: accessible)", e);
        }
    }
}
