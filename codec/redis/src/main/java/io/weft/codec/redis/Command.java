package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/// A command: its name and arguments, in one buffer as they are on the wire. Whoever forwards one
/// sends that buffer.
///
/// **Ownership.** A command owns its buffer; its consumer calls [#close] once. Encoders do so.
///
/// **Threads.** One at a time.
public final class Command implements AutoCloseable {
    private final Buffer wire;

    /// The beginning and the end of each argument in `wire`, the name first.
    private final int[] bounds;

    private Command(Buffer wire, int[] bounds) {
        this.wire = wire;
        this.bounds = bounds;
    }

    /// @param wire all of it: a count, and each argument behind its length
    /// @param bounds in `wire`, two for each argument
    static Command decoded(Buffer wire, int[] bounds) {
        return new Command(wire, bounds);
    }

    /// A command of texts in UTF-8, its name first.
    ///
    /// @throws IllegalArgumentException when there is none
    public static Command of(String... arguments) {
        try (Builder builder = new Builder(arguments.length)) {
            for (String argument : arguments) {
                builder.add(argument);
            }
            return builder.build();
        }
    }

    /// Begins a command of arguments of several kinds. It is to be built, or closed.
    public static Builder named(String name) {
        Builder builder = new Builder(4);
        try {
            return builder.add(name);
        } catch (RuntimeException e) {
            builder.close();
            throw e;
        }
    }

    /// Number of arguments, with the name.
    public int size() {
        return bounds.length / 2;
    }

    /// The name in capital letters.
    public String name() {
        String name = text(0);
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 'a' && name.charAt(i) <= 'z') {
                return name.toUpperCase(Locale.ROOT);
            }
        }
        return name;
    }

    /// Tells if argument `index` is `text`, which is ASCII, but for the case of letters.
    ///
    /// @throws IndexOutOfBoundsException unless there is such an argument
    public boolean is(int index, String text) {
        int start = start(index);
        int length = bounds[2 * index + 1] - start;
        if (length != text.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            int c = wire.getByte(start + i);
            int t = text.charAt(i);
            if (c != t && ((c | 0x20) != (t | 0x20) || (c | 0x20) < 'a' || (c | 0x20) > 'z')) {
                return false;
            }
        }
        return true;
    }

    /// Bytes of argument `index`.
    public int length(int index) {
        return bounds[2 * index + 1] - start(index);
    }

    /// Argument `index` as a buffer on the same memory, which the caller owns.
    public Buffer argument(int index) {
        return wire.slice(start(index), length(index));
    }

    /// A copy of argument `index`.
    public byte[] bytes(int index) {
        byte[] bytes = new byte[length(index)];
        wire.getBytes(start(index), bytes, 0, bytes.length);
        return bytes;
    }

    /// Argument `index` as text in UTF-8.
    public String text(int index) {
        return wire.getString(start(index), length(index), StandardCharsets.UTF_8);
    }

    /// Argument `index` as an integer.
    ///
    /// @throws IllegalArgumentException unless it is one of 64 bits, in the words of Redis
    public long number(int index) {
        int length = length(index);
        if (length > 0 && length <= 20) {
            try {
                String text = wire.getString(start(index), length, StandardCharsets.ISO_8859_1);
                if (text.charAt(0) != '+') {
                    return Long.parseLong(text);
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
        }
        throw new IllegalArgumentException("value is not an integer or out of range");
    }

    /// The same command with an ownership of its own, to be sent again perhaps.
    public Command share() {
        return new Command(wire.slice(wire.readOffset(), wire.readableBytes()), relative());
    }

    private int[] relative() {
        int from = wire.readOffset();
        if (from == 0) {
            return bounds;
        }
        int[] moved = bounds.clone();
        for (int i = 0; i < moved.length; i++) {
            moved[i] -= from;
        }
        return moved;
    }

    /// Bytes on the wire.
    public int wireBytes() {
        return wire.readableBytes();
    }

    /// The bytes on the wire, which stay the command's.
    Buffer wire() {
        return wire;
    }

    /// A hash of the name that does not depend on the case of its letters.
    int nameHash() {
        int hash = 0;
        for (int i = bounds[0]; i < bounds[1]; i++) {
            hash = 31 * hash + (wire.getByte(i) | 0x20);
        }
        return hash;
    }

    private int start(int index) {
        return bounds[2 * Objects.checkIndex(index, bounds.length / 2)];
    }

    @Override
    public void close() {
        wire.release();
    }

    /// The name and the number of arguments: those may be secrets.
    @Override
    public String toString() {
        return "Command[" + (length(0) > 64 ? "?" : name()) + ", " + (size() - 1) + " arguments]";
    }

    /// Gathers the arguments of a command. It owns memory until [#build] or [#close].
    public static final class Builder implements AutoCloseable {
        /// Room for the line of the count, which is written last.
        private static final int HEAD = 13;

        private final Buffer wire;
        private int[] bounds;
        private int count;
        private boolean built;

        Builder(int arguments) {
            wire = BufferAllocator.pooled().allocate(128).writeOffset(HEAD);
            bounds = new int[2 * arguments];
        }

        /// Adds a text in UTF-8.
        public Builder add(String text) {
            int length = utf8Length(text);
            int start = begin(length);
            var _ = wire.writeUtf8(text);
            return end(start);
        }

        private static int utf8Length(String text) {
            int length = text.length();
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) >= 0x80) {
                    return text.getBytes(StandardCharsets.UTF_8).length;
                }
            }
            return length;
        }

        /// Adds an integer.
        public Builder add(long number) {
            return add(Long.toString(number));
        }

        /// Adds a copy of `bytes`.
        public Builder add(byte[] bytes) {
            int start = begin(bytes.length);
            wire.writeBytes(bytes);
            return end(start);
        }

        /// Adds a copy of the first `length` bytes.
        void add(byte[] bytes, int length) {
            int start = begin(length);
            wire.writeBytes(bytes, 0, length);
            var _ = end(start);
        }

        /// Adds a copy of the readable bytes of `bytes`, which is released.
        public Builder add(Buffer bytes) {
            try (bytes) {
                int start = begin(bytes.readableBytes());
                wire.writeBytes(bytes);
                return end(start);
            }
        }

        private int begin(int length) {
            Decimal.line(wire, '$', length);
            return wire.writeOffset();
        }

        private Builder end(int start) {
            if (2 * count == bounds.length) {
                bounds = Arrays.copyOf(bounds, Math.max(8, 4 * count));
            }
            bounds[2 * count] = start;
            bounds[2 * count + 1] = wire.writeOffset();
            count++;
            wire.writeShort('\r' << 8 | '\n');
            return this;
        }

        /// The command, which owns the memory.
        ///
        /// @throws IllegalArgumentException when there is no argument
        public Command build() {
            if (count == 0) {
                throw new IllegalArgumentException("arguments: 0 (expected: a name at least)");
            }
            int end = wire.writeOffset();
            int head = HEAD - 3 - String.valueOf(count).length();
            wire.clear().writeOffset(head);
            Decimal.line(wire, '*', count);
            wire.writeOffset(end).readOffset(head);
            built = true;
            return new Command(
                    wire, 2 * count == bounds.length ? bounds : Arrays.copyOf(bounds, 2 * count));
        }

        @Override
        public void close() {
            if (!built) {
                built = true;
                wire.release();
            }
        }
    }
}
