package io.weft.buffer;

import java.util.List;
import java.util.Random;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/// A type of number in a buffer, for tests: how it is accessed, and what bytes it is. Values are
/// the type's bits.
record Numeric(
        int size,
        boolean littleEndian,
        boolean unsigned,
        ToLongBiFunction<Buffer, Integer> getter,
        ToLongFunction<Buffer> reader,
        Setter setter,
        ObjLongConsumer<Buffer> writer) {
    interface Setter {
        void set(Buffer b, int index, long value);
    }

    static final List<Numeric> ALL =
            List.of(
                    new Numeric(
                            1,
                            false,
                            false,
                            (b, i) -> b.getByte(i),
                            b -> b.readByte(),
                            (b, i, v) -> b.setByte(i, (int) v),
                            (b, v) -> b.writeByte((int) v)),
                    new Numeric(
                            1,
                            false,
                            true,
                            (b, i) -> b.getUnsignedByte(i),
                            b -> b.readUnsignedByte(),
                            (b, i, v) -> b.setByte(i, (int) v),
                            (b, v) -> b.writeByte((int) v)),
                    new Numeric(
                            2,
                            false,
                            false,
                            (b, i) -> b.getShort(i),
                            b -> b.readShort(),
                            (b, i, v) -> b.setShort(i, (int) v),
                            (b, v) -> b.writeShort((int) v)),
                    new Numeric(
                            2,
                            true,
                            false,
                            (b, i) -> b.getShortLE(i),
                            b -> b.readShortLE(),
                            (b, i, v) -> b.setShortLE(i, (int) v),
                            (b, v) -> b.writeShortLE((int) v)),
                    new Numeric(
                            2,
                            false,
                            true,
                            (b, i) -> b.getUnsignedShort(i),
                            b -> b.readUnsignedShort(),
                            (b, i, v) -> b.setShort(i, (int) v),
                            (b, v) -> b.writeShort((int) v)),
                    new Numeric(
                            2,
                            true,
                            true,
                            (b, i) -> b.getUnsignedShortLE(i),
                            b -> b.readUnsignedShortLE(),
                            (b, i, v) -> b.setShortLE(i, (int) v),
                            (b, v) -> b.writeShortLE((int) v)),
                    new Numeric(
                            3,
                            false,
                            false,
                            (b, i) -> b.getMedium(i),
                            b -> b.readMedium(),
                            (b, i, v) -> b.setMedium(i, (int) v),
                            (b, v) -> b.writeMedium((int) v)),
                    new Numeric(
                            3,
                            true,
                            false,
                            (b, i) -> b.getMediumLE(i),
                            b -> b.readMediumLE(),
                            (b, i, v) -> b.setMediumLE(i, (int) v),
                            (b, v) -> b.writeMediumLE((int) v)),
                    new Numeric(
                            3,
                            false,
                            true,
                            (b, i) -> b.getUnsignedMedium(i),
                            b -> b.readUnsignedMedium(),
                            (b, i, v) -> b.setMedium(i, (int) v),
                            (b, v) -> b.writeMedium((int) v)),
                    new Numeric(
                            3,
                            true,
                            true,
                            (b, i) -> b.getUnsignedMediumLE(i),
                            b -> b.readUnsignedMediumLE(),
                            (b, i, v) -> b.setMediumLE(i, (int) v),
                            (b, v) -> b.writeMediumLE((int) v)),
                    new Numeric(
                            4,
                            false,
                            false,
                            (b, i) -> b.getInt(i),
                            b -> b.readInt(),
                            (b, i, v) -> b.setInt(i, (int) v),
                            (b, v) -> b.writeInt((int) v)),
                    new Numeric(
                            4,
                            true,
                            false,
                            (b, i) -> b.getIntLE(i),
                            b -> b.readIntLE(),
                            (b, i, v) -> b.setIntLE(i, (int) v),
                            (b, v) -> b.writeIntLE((int) v)),
                    new Numeric(
                            4,
                            false,
                            true,
                            (b, i) -> b.getUnsignedInt(i),
                            b -> b.readUnsignedInt(),
                            (b, i, v) -> b.setInt(i, (int) v),
                            (b, v) -> b.writeInt((int) v)),
                    new Numeric(
                            4,
                            true,
                            true,
                            (b, i) -> b.getUnsignedIntLE(i),
                            b -> b.readUnsignedIntLE(),
                            (b, i, v) -> b.setIntLE(i, (int) v),
                            (b, v) -> b.writeIntLE((int) v)),
                    new Numeric(
                            8,
                            false,
                            false,
                            (b, i) -> b.getLong(i),
                            b -> b.readLong(),
                            (b, i, v) -> b.setLong(i, v),
                            (b, v) -> b.writeLong(v)),
                    new Numeric(
                            8,
                            true,
                            false,
                            (b, i) -> b.getLongLE(i),
                            b -> b.readLongLE(),
                            (b, i, v) -> b.setLongLE(i, v),
                            (b, v) -> b.writeLongLE(v)),
                    new Numeric(
                            4,
                            false,
                            false,
                            (b, i) -> Float.floatToRawIntBits(b.getFloat(i)),
                            b -> Float.floatToRawIntBits(b.readFloat()),
                            (b, i, v) -> b.setFloat(i, Float.intBitsToFloat((int) v)),
                            (b, v) -> b.writeFloat(Float.intBitsToFloat((int) v))),
                    new Numeric(
                            4,
                            true,
                            false,
                            (b, i) -> Float.floatToRawIntBits(b.getFloatLE(i)),
                            b -> Float.floatToRawIntBits(b.readFloatLE()),
                            (b, i, v) -> b.setFloatLE(i, Float.intBitsToFloat((int) v)),
                            (b, v) -> b.writeFloatLE(Float.intBitsToFloat((int) v))),
                    new Numeric(
                            8,
                            false,
                            false,
                            (b, i) -> Double.doubleToRawLongBits(b.getDouble(i)),
                            b -> Double.doubleToRawLongBits(b.readDouble()),
                            (b, i, v) -> b.setDouble(i, Double.longBitsToDouble(v)),
                            (b, v) -> b.writeDouble(Double.longBitsToDouble(v))),
                    new Numeric(
                            8,
                            true,
                            false,
                            (b, i) -> Double.doubleToRawLongBits(b.getDoubleLE(i)),
                            b -> Double.doubleToRawLongBits(b.readDoubleLE()),
                            (b, i, v) -> b.setDoubleLE(i, Double.longBitsToDouble(v)),
                            (b, v) -> b.writeDoubleLE(Double.longBitsToDouble(v))));

    static Numeric any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    long get(Buffer b, int index) {
        return getter.applyAsLong(b, index);
    }

    long read(Buffer b) {
        return reader.applyAsLong(b);
    }

    void set(Buffer b, int index, long value) {
        setter.set(b, index, value);
    }

    void write(Buffer b, long value) {
        writer.accept(b, value);
    }

    void encode(byte[] to, int offset, long value) {
        for (int i = 0; i < size; i++) {
            to[offset + i] = (byte) (value >> (8 * (littleEndian ? i : size - 1 - i)));
        }
    }

    long decode(byte[] from, int offset) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = (value << 8) | (from[offset + (littleEndian ? size - 1 - i : i)] & 0xFF);
        }
        int unused = 64 - 8 * size;
        return unsigned ? value : value << unused >> unused;
    }
}
