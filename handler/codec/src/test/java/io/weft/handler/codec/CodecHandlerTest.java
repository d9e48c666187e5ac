package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.Codec;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.codec.StepDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CodecHandlerTest {
    private final List<String> closed = new ArrayList<>();

    /// Numbers of two bytes.
    private final class Numbers extends StepDecoder<Integer> {
        @Override
        protected boolean step(Buffer in, Consumer<? super Integer> out) {
            if (in.readableBytes() < 2) {
                return false;
            }
            out.accept((int) in.readShort());
            return true;
        }

        @Override
        public void close() {
            closed.add("decoder");
        }
    }

    private final class Writer implements Encoder<Integer> {
        @Override
        public void encode(Integer number, Output out) {
            out.buffer(2).writeShort(number);
        }

        @Override
        public void close() {
            closed.add("encoder");
        }
    }

    private final Codec<Integer, Integer> codec =
            new Codec<>(Numbers::new, Integer.class, Writer::new);

    @Test
    void bothDirectionsWork() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new CodecHandler(codec))) {
            channel.receive(BufferAllocator.pooled().allocate(3).writeShort(7).writeByte(1));
            assertThat(channel.readInbound()).isEqualTo(7);
            channel.receive(BufferAllocator.pooled().allocate(1).writeByte(2));
            assertThat(channel.readInbound()).isEqualTo(0x0102);
            channel.channel().writeAndFlush(9);
            assertThat(channel.takeOutbound()).containsExactly(0, 9);
        }
        assertThat(closed).containsExactlyInAnyOrder("decoder", "encoder");
    }

    @Test
    void eachConnectionHasItsOwnMachines() {
        try (EmbeddedChannel one = new EmbeddedChannel(new CodecHandler(codec));
                EmbeddedChannel other = new EmbeddedChannel(new CodecHandler(codec))) {
            one.receive(BufferAllocator.pooled().allocate(1).writeByte(1));
            other.receive(BufferAllocator.pooled().allocate(2).writeShort(5));
            assertThat(other.readInbound()).isEqualTo(5);
            one.receive(BufferAllocator.pooled().allocate(1).writeByte(1));
            assertThat(one.readInbound()).isEqualTo(0x0101);
        }
    }
}
