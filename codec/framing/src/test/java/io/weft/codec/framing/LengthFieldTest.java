package io.weft.codec.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LengthFieldTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void whatIsPrependedIsDecodedInBothOrdersAndWithTheFieldCounted(int bytes) {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            for (boolean itself : new boolean[] {false, true}) {
                LengthFieldPrepender prepender = new LengthFieldPrepender(bytes, order, 0, itself);
                LengthField field = new LengthField(0, bytes, itself ? -bytes : 0, bytes, order);
                assertThat(decoded(field, encoded(prepender, 200))).containsExactly(200);
            }
        }
    }

    private static Buffer encoded(LengthFieldPrepender prepender, int length) {
        Buffer wire = BufferAllocator.pooled().allocate(length + 8);
        try (Output out = new Output()) {
            prepender.encode(
                    BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length)), out);
            out.drain(
                    b -> {
                        wire.writeBytes(b);
                        b.release();
                    });
        }
        return wire;
    }

    private static List<Integer> decoded(LengthField field, Buffer wire) {
        List<Integer> lengths = new ArrayList<>();
        try (wire) {
            new LengthFieldDecoder(field, 1000)
                    .decode(
                            wire,
                            frame -> {
                                lengths.add(frame.readableBytes());
                                frame.release();
                            });
            assertThat(wire.isReadable()).isFalse();
        }
        return lengths;
    }

    @Test
    void aLengthThatTheFieldCannotHoldIsRefusedAndTheMessageReleased() {
        Buffer message = BufferAllocator.pooled().allocate(256).writeAscii("x".repeat(256));
        try (Output out = new Output()) {
            assertThatThrownBy(() -> new LengthFieldPrepender(1).encode(message, out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("length: 256 (expected: 0 to 255)");
            assertThat(out.size()).isZero();
        }
        assertThat(message.references()).isZero();
    }

    @Test
    void impossibleFieldsAreRefused() {
        assertThatThrownBy(() -> LengthField.of(5))
                .hasMessage("bytes: 5 (expected: 1, 2, 3, 4 or 8)");
        assertThatThrownBy(() -> LengthField.of(4).offset(-1)).hasMessageContaining("offset: -1");
        assertThatThrownBy(() -> new LengthFieldDecoder(LengthField.of(4), 3))
                .hasMessage("maxFrameLength: 3 (expected: at least 4)");
    }
}
