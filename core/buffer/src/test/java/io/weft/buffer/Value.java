package io.weft.buffer;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// A type of value in whatever has the access methods of a buffer: called by name, and what bytes
/// it is. Values are the type's bits.
///
/// @param name as in getName and writeName
/// @param size in bytes
/// @param unsigned whether there is only getting and reading
record Value(String name, Class<?> type, int size, boolean unsigned) {
    static final List<Value> ALL =
            List.of(
                    new Value("Byte", int.class, 1, false),
                    new Value("UnsignedByte", int.class, 1, true),
                    new Value("Short", int.class, 2, false),
                    new Value("ShortLE", int.class, 2, false),
                    new Value("UnsignedShort", int.class, 2, true),
                    new Value("UnsignedShortLE", int.class, 2, true),
                    new Value("Medium", int.class, 3, false),
                    new Value("MediumLE", int.class, 3, false),
                    new Value("UnsignedMedium", int.class, 3, true),
                    new Value("UnsignedMediumLE", int.class, 3, true),
                    new Value("Int", int.class, 4, false),
                    new Value("IntLE", int.class, 4, false),
                    new Value("UnsignedInt", long.class, 4, true),
                    new Value("UnsignedIntLE", long.class, 4, true),
                    new Value("Long", long.class, 8, false),
                    new Value("LongLE", long.class, 8, false),
                    new Value("Float", float.class, 4, false),
                    new Value("FloatLE", float.class, 4, false),
                    new Value("Double", double.class, 8, false),
                    new Value("DoubleLE", double.class, 8, false));

    static Value any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    private boolean littleEndian() {
        return name.endsWith("LE");
    }

    // ---- in a buffer ----

    long get(Object buffer, int index) {
        return bits(call(buffer, "get" + name, int.class, index));
    }

    long read(Object buffer) {
        return bits(call(buffer, "read" + name));
    }

    /// An unsigned one is set as the signed one.
    void set(Object buffer, int index, long bits) {
        call(buffer, "set" + signed(), int.class, index, parameter(), value(bits));
    }

    void write(Object buffer, long bits) {
        call(buffer, "write" + signed(), parameter(), value(bits));
    }

    private String signed() {
        return name.replace("Unsigned", "");
    }

    private Class<?> parameter() {
        return unsigned ? int.class : type;
    }

    private Object value(long bits) {
        if (type == float.class) {
            return Float.intBitsToFloat((int) bits);
        }
        if (type == double.class) {
            return Double.longBitsToDouble(bits);
        }
        return parameter() == int.class ? (Object) (int) bits : (Object) bits;
    }

    private static long bits(Object value) {
        return switch (value) {
            case Float f -> Float.floatToRawIntBits(f);
            case Double d -> Double.doubleToRawLongBits(d);
            case Number n -> n.longValue();
            default -> throw new AssertionError(value);
        };
    }

    // ---- in an array ----

    void encode(byte[] to, int offset, long bits) {
        for (int i = 0; i < size; i++) {
            to[offset + i] = (byte) (bits >> (8 * (littleEndian() ? i : size - 1 - i)));
        }
    }

    long decode(byte[] from, int offset) {
        long bits = 0;
        for (int i = 0; i < size; i++) {
            bits = (bits << 8) | (from[offset + (littleEndian() ? size - 1 - i : i)] & 0xFF);
        }
        int unused = 64 - 8 * size;
        return unsigned ? bits : bits << unused >> unused;
    }

    // ---- by name ----

    /// Calls a method with parameters of the types and values that alternate in `typesAndValues`.
    static Object call(Object buffer, String method, Object... typesAndValues) {
        Class<?>[] types = new Class<?>[typesAndValues.length / 2];
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = (Class<?>) typesAndValues[2 * i];
            values[i] = typesAndValues[2 * i + 1];
        }
        try {
            return buffer.getClass().getMethod(method, types).invoke(buffer, values);
        } catch (InvocationTargetException e) {
            switch (Objects.requireNonNull(e.getCause())) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new AssertionError(e);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method, e);
        }
    }
}
