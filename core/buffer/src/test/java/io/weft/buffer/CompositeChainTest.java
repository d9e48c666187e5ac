package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Calls of a composite that return it, for the next one, and its booleans.
class CompositeChainTest {
    private static CompositeBuffer composite() {
        CompositeBuffer composite = new CompositeBuffer(BufferAllocator.pooled());
        for (int part : new int[] {1, 2, 4, 93}) {
            composite.add(BufferAllocator.pooled().allocate(part).writeBytes(new byte[part]));
        }
        return composite;
    }

    @Test
    void writesAndSetsReturnTheirBuffer() {
        try (CompositeBuffer b = composite()) {
            assertThat(b.writeOffset(0)).isSameAs(b);
            assertThat(b.writeBoolean(true)).isSameAs(b);
            assertThat(b.writeShort(1)).isSameAs(b);
            assertThat(b.writeShortLE(1)).isSameAs(b);
            assertThat(b.writeMedium(1)).isSameAs(b);
            assertThat(b.writeMediumLE(1)).isSameAs(b);
            assertThat(b.writeInt(1)).isSameAs(b);
            assertThat(b.writeIntLE(1)).isSameAs(b);
            assertThat(b.writeLong(1)).isSameAs(b);
            assertThat(b.writeLongLE(1)).isSameAs(b);
            assertThat(b.writeFloat(1)).isSameAs(b);
            assertThat(b.writeFloatLE(1)).isSameAs(b);
            assertThat(b.writeDouble(1)).isSameAs(b);
            assertThat(b.writeDoubleLE(1)).isSameAs(b);
            assertThat(b.writeBytes(new byte[3])).isSameAs(b);
            assertThat(b.setBoolean(0, true)).isSameAs(b);
            assertThat(b.setShort(0, 1)).isSameAs(b);
            assertThat(b.setShortLE(0, 1)).isSameAs(b);
            assertThat(b.setMedium(0, 1)).isSameAs(b);
            assertThat(b.setMediumLE(0, 1)).isSameAs(b);
            assertThat(b.setInt(0, 1)).isSameAs(b);
            assertThat(b.setIntLE(0, 1)).isSameAs(b);
            assertThat(b.setLong(0, 1)).isSameAs(b);
            assertThat(b.setLongLE(0, 1)).isSameAs(b);
            assertThat(b.setFloat(0, 1)).isSameAs(b);
            assertThat(b.setFloatLE(0, 1)).isSameAs(b);
            assertThat(b.setDouble(0, 1)).isSameAs(b);
            assertThat(b.setDoubleLE(0, 1)).isSameAs(b);
            assertThat(b.readBytes(new byte[3])).isSameAs(b);
            assertThat(b.readOffset(0)).isSameAs(b);
        }
    }

    @Test
    void booleansAreWrittenAndRead() {
        try (CompositeBuffer b = composite()) {
            b.writeOffset(0);
            b.writeBoolean(true).writeBoolean(false).writeBoolean(true);
            b.setBoolean(3, false).setBoolean(4, true);
            assertThat(b.readBoolean()).isTrue();
            assertThat(b.readBoolean()).isFalse();
            assertThat(b.getBoolean(2)).isTrue();
            assertThat(b.getBoolean(3)).isFalse();
            assertThat(b.getBoolean(4)).isTrue();
        }
    }
}
