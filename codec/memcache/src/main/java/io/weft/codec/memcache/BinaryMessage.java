package io.weft.codec.memcache;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A request or a response of the binary protocol: one buffer, as on the wire, and its header.
///
/// **Ownership.** A message owns its buffer; its consumer calls [#close] once. Encoders do so.
public sealed class BinaryMessage implements MemcachePart permits BinaryMessage.Valued {
    /// Bytes of a header.
    static final int HEADER = 24;

    static final int REQUEST = 0x80;
    static final int RESPONSE = 0x81;

    // As narrow as on the wire: a server has many of these.
    private final boolean response;
    private final byte opcode;
    private final byte extrasLength;
    private final char keyLength;
    private final char status;
    private final int valueLength;
    private final int opaque;
    private final long cas;

    /// Header, extras, key and value; no value when that comes in chunks.
    private final Buffer wire;

    BinaryMessage(
            boolean response,
            int opcode,
            int status,
            int opaque,
            long cas,
            int extrasLength,
            int keyLength,
            int valueLength,
            Buffer wire) {
        this.response = response;
        this.opcode = (byte) opcode;
        this.status = (char) status;
        this.opaque = opaque;
        this.cas = cas;
        this.extrasLength = (byte) extrasLength;
        this.keyLength = (char) keyLength;
        this.valueLength = valueLength;
        this.wire = wire;
    }

    private BinaryMessage(Builder from, int valueLength, Buffer wire) {
        this(
                from.response,
                from.opcode,
                from.status,
                from.opaque,
                from.cas,
                from.extras.length,
                from.key.length,
                valueLength,
                wire);
    }

    /// Begins a request.
    public static Builder request(Opcode opcode) {
        return new Builder(false, opcode.number(), 0);
    }

    /// Begins a response.
    ///
    /// @param opcode of the request
    /// @param status see [BinaryStatus]
    public static Builder response(int opcode, int status) {
        return new Builder(true, opcode, status);
    }

    public boolean isResponse() {
        return response;
    }

    /// The number of the command, known or not: see [Opcode#of].
    public int opcode() {
        return opcode & 0xFF;
    }

    /// The status of a response: see [BinaryStatus#of]. Of a request the virtual bucket.
    public int status() {
        return status;
    }

    /// The number that a client chose, and gets back.
    public int opaque() {
        return opaque;
    }

    /// The version of the value; 0 for none.
    public long cas() {
        return cas;
    }

    public int extrasLength() {
        return extrasLength & 0xFF;
    }

    public int keyLength() {
        return keyLength;
    }

    public int valueLength() {
        return valueLength;
    }

    /// Tells if the value comes in chunks behind this.
    public boolean isStreamed() {
        return wire.readableBytes() < HEADER + extrasLength() + keyLength + valueLength;
    }

    /// Tells if a request has the parts that its command has; else the answer is
    /// [BinaryStatus#INVALID]. False for unknown commands.
    public boolean isWellFormed() {
        Opcode known = Opcode.of(opcode());
        return known != null && known.allows(extrasLength(), keyLength, valueLength);
    }

    /// The four bytes of extras at `index`: of a set and a get the flags at 0, of a set the expiry
    /// at 4.
    ///
    /// @throws IndexOutOfBoundsException when they are not there
    public int extra(int index) {
        requireExtras(index, 4);
        return wire.getInt(wire.readOffset() + HEADER + index);
    }

    /// The eight bytes of extras at `index`: of an increment the difference at 0, the first value
    /// at 8.
    ///
    /// @throws IndexOutOfBoundsException when they are not there
    public long extraLong(int index) {
        requireExtras(index, 8);
        return wire.getLong(wire.readOffset() + HEADER + index);
    }

    private void requireExtras(int index, int length) {
        if (index < 0 || index + length > extrasLength()) {
            throw new IndexOutOfBoundsException(
                    "extras: " + index + " (expected: 0 to " + (extrasLength() - length) + ")");
        }
    }

    /// The key as text in UTF-8; empty if there is none.
    public String key() {
        return wire.getString(keyStart(), keyLength, StandardCharsets.UTF_8);
    }

    /// A copy of the key.
    public byte[] keyBytes() {
        byte[] key = new byte[keyLength];
        wire.getBytes(keyStart(), key, 0, keyLength);
        return key;
    }

    /// The value, which the caller owns, on the same memory.
    ///
    /// @throws IllegalStateException when it comes in chunks
    public Buffer value() {
        if (isStreamed()) {
            throw new IllegalStateException("value: streamed (expected: whole)");
        }
        return wire.slice(keyStart() + keyLength, valueLength);
    }

    private int keyStart() {
        return wire.readOffset() + HEADER + extrasLength();
    }

    Buffer wire() {
        return wire;
    }

    /// Adds the bytes behind [#wire], uncopied if they are many.
    void encodeRest(Output out) {}

    /// A message whose value stays where it is, in a buffer of its own. Apart, so that all others
    /// have no field for it.
    static final class Valued extends BinaryMessage {
        private final Buffer value;

        private Valued(Builder from, Buffer wire, Buffer value) {
            super(from, value.readableBytes(), wire);
            this.value = value;
        }

        @Override
        public boolean isStreamed() {
            return false;
        }

        @Override
        public Buffer value() {
            return value.slice(value.readOffset(), value.readableBytes());
        }

        @Override
        void encodeRest(Output out) {
            out.add(value());
        }

        @Override
        public void close() {
            super.close();
            value.release();
        }
    }

    @Override
    public void close() {
        wire.release();
    }

    /// The header: a value may be a secret.
    @Override
    public String toString() {
        Opcode known = Opcode.of(opcode());
        return (response ? "response " : "request ")
                + (known == null ? Integer.toString(opcode()) : known)
                + (response ? ", status " + (int) status : ", vbucket " + (int) status)
                + ", opaque "
                + opaque
                + ", cas "
                + cas
                + ", "
                + extrasLength()
                + " + "
                + (int) keyLength
                + " + "
                + valueLength
                + " bytes";
    }

    /// The parts of a message that is to be written. Nothing is allocated before [#build].
    public static final class Builder {
        private static final byte[] NONE = {};

        private final boolean response;
        private final int opcode;
        private int status;
        private int opaque;
        private long cas;
        private byte[] extras = NONE;
        private byte[] key = NONE;
        private byte[] value = NONE;
        private @Nullable Buffer kept;
        private int streamed;

        private Builder(boolean response, int opcode, int status) {
            requireUnsigned("opcode", opcode, 0xFF);
            requireUnsigned("status", status, 0xFFFF);
            this.response = response;
            this.opcode = opcode;
            this.status = status;
        }

        private static void requireUnsigned(String name, int value, int most) {
            if (value < 0 || value > most) {
                throw new IllegalArgumentException(
                        name + ": " + value + " (expected: 0 to " + most + ")");
            }
        }

        /// The virtual bucket of a request.
        public Builder vbucket(int number) {
            requireUnsigned("vbucket", number, 0xFFFF);
            status = number;
            return this;
        }

        public Builder opaque(int number) {
            opaque = number;
            return this;
        }

        public Builder cas(long version) {
            cas = version;
            return this;
        }

        /// Sets the extras, which are copied when the message is built.
        ///
        /// @throws IllegalArgumentException above 255 bytes
        public Builder extras(byte[] bytes) {
            requireUnsigned("extras", bytes.length, 0xFF);
            extras = bytes;
            return this;
        }

        /// Extras of one integer of four bytes, as an expiry is.
        public Builder extras(int only) {
            byte[] bytes = new byte[4];
            putInt(bytes, 0, only);
            return extras(bytes);
        }

        /// Extras of two integers of four bytes, as flags and an expiry are.
        public Builder extras(int first, int second) {
            byte[] bytes = new byte[8];
            putInt(bytes, 0, first);
            putInt(bytes, 4, second);
            return extras(bytes);
        }

        /// Extras of an increment or a decrement.
        ///
        /// @param by the difference
        /// @param initial the number where there is none
        /// @param expiry in seconds; -1 where there must be a number
        public Builder extras(long by, long initial, int expiry) {
            byte[] bytes = new byte[20];
            putInt(bytes, 0, (int) (by >>> 32));
            putInt(bytes, 4, (int) by);
            putInt(bytes, 8, (int) (initial >>> 32));
            putInt(bytes, 12, (int) initial);
            putInt(bytes, 16, expiry);
            return extras(bytes);
        }

        private static void putInt(byte[] to, int at, int value) {
            to[at] = (byte) (value >>> 24);
            to[at + 1] = (byte) (value >>> 16);
            to[at + 2] = (byte) (value >>> 8);
            to[at + 3] = (byte) value;
        }

        /// Sets the key, which is copied when the message is built.
        ///
        /// @throws IllegalArgumentException above 65,535 bytes
        public Builder key(byte[] bytes) {
            requireUnsigned("key", bytes.length, 0xFFFF);
            key = bytes;
            return this;
        }

        /// A key of a text in UTF-8.
        public Builder key(String text) {
            return key(text.getBytes(StandardCharsets.UTF_8));
        }

        /// The value, which is copied when the message is built.
        public Builder value(byte[] bytes) {
            value = bytes;
            kept = null;
            streamed = 0;
            return this;
        }

        /// The value, which becomes the message's when that is built, uncopied: a large one is sent
        /// from this buffer. Its readable bytes are not to change until then.
        public Builder value(Buffer bytes) {
            value = NONE;
            kept = bytes;
            streamed = 0;
            return this;
        }

        /// The length of a value of which [MemcachePart.ValueChunk]s follow.
        public Builder streamed(int length) {
            requireUnsigned("length", length, Integer.MAX_VALUE - (1 << 20));
            value = NONE;
            kept = null;
            streamed = length;
            return this;
        }

        public BinaryMessage build() {
            Buffer apart = kept;
            int valueLength = apart == null ? value.length + streamed : apart.readableBytes();
            Buffer wire =
                    BufferAllocator.pooled()
                            .allocate(HEADER + extras.length + key.length + value.length);
            wire.writeByte(response ? RESPONSE : REQUEST)
                    .writeByte(opcode)
                    .writeShort(key.length)
                    .writeByte(extras.length)
                    .writeByte(0)
                    .writeShort(status)
                    .writeInt(extras.length + key.length + valueLength)
                    .writeInt(opaque)
                    .writeLong(cas)
                    .writeBytes(extras)
                    .writeBytes(key)
                    .writeBytes(value);
            kept = null;
            return apart == null
                    ? new BinaryMessage(this, valueLength, wire)
                    : new Valued(this, wire, apart);
        }
    }
}
