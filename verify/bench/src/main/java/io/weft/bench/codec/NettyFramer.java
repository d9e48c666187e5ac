package io.weft.bench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DelimiterBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A decoder of Netty's with the door open to what its channel calls for each frame, which needs no
/// context as long as frames are well-formed.
@NullUnmarked
interface NettyFramer extends ChannelHandler {
    /// The next frame; null when there is none.
    @Nullable ByteBuf next(ByteBuf in);

    static NettyFramer of(Framing framing, int length) {
        int max = framing.maxLength(length);
        return switch (framing) {
            case LENGTH_FIELD -> new LengthField(max);
            case VARINT -> new Varint();
            case LINE -> new Line(max);
            case DELIMITERS -> new Delimiters(max);
        };
    }

    /// See [Framing#LENGTH_FIELD].
    final class LengthField extends LengthFieldBasedFrameDecoder implements NettyFramer {
        LengthField(int max) {
            super(max, 0, 4, 0, 4);
        }

        @Override
        public @Nullable ByteBuf next(ByteBuf in) {
            try {
                return (ByteBuf) decode(null, in);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// See [Framing#LINE].
    final class Line extends LineBasedFrameDecoder implements NettyFramer {
        Line(int max) {
            super(max);
        }

        @Override
        public @Nullable ByteBuf next(ByteBuf in) {
            try {
                return (ByteBuf) decode(null, in);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// See [Framing#DELIMITERS].
    final class Delimiters extends DelimiterBasedFrameDecoder implements NettyFramer {
        Delimiters(int max) {
            super(
                    max,
                    Unpooled.wrappedBuffer(Framing.NUL),
                    Unpooled.wrappedBuffer(Framing.SEMICOLONS));
        }

        @Override
        public @Nullable ByteBuf next(ByteBuf in) {
            try {
                return (ByteBuf) decode(null, in);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// See [Framing#VARINT].
    final class Varint extends ProtobufVarint32FrameDecoder implements NettyFramer {
        private final List<Object> out = new ArrayList<>(1);

        @Override
        public @Nullable ByteBuf next(ByteBuf in) {
            try {
                decode((ChannelHandlerContext) null, in, out);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return out.isEmpty() ? null : (ByteBuf) out.removeLast();
        }
    }
}
