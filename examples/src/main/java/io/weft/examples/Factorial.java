package io.weft.examples;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelPipeline;
import io.weft.channel.MessageHandler;
import io.weft.codec.Codec;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Encoder;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.StepDecoder;
import io.weft.handler.codec.CodecHandler;
import java.math.BigInteger;
import java.util.function.Consumer;

/// A binary protocol from scratch: a client sends numbers, and gets the product of all so far after
/// each, so 1, 2, 3 … make factorials. A number is an `F`, its length in four bytes, and its bytes,
/// the highest first.
///
/// Try it: `printf 'F\0\0\0\1\5F\0\0\0\1\4' | nc -q1 127.0.0.1 8322 | xxd`
public final class Factorial {
    /// Bytes of a number that is sent, and of a product.
    private static final int MAX_LENGTH = 64 << 10;

    private static final Codec<BigInteger, BigInteger> NUMBERS =
            new Codec<>(NumberDecoder::new, BigInteger.class, NumberEncoder::new);

    private Factorial() {}

    public static void main(String[] args) {
        Example.main(8322, args, Factorial::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(options, channel -> addTo(channel.pipeline()));
    }

    static void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new CodecHandler(NUMBERS)).addLast(new FactorialHandler());
    }

    /// Takes one number in each step, or says that it needs more bytes for that. What it does not
    /// take is kept for it.
    static final class NumberDecoder extends StepDecoder<BigInteger> {
        private static final int HEADER = 5;

        @Override
        protected boolean step(Buffer in, Consumer<? super BigInteger> out) {
            if (in.readableBytes() < HEADER) {
                return false;
            }
            int at = in.readOffset();
            if (in.getByte(at) != 'F') {
                throw new CorruptedFrameException(
                        "number: " + in.getByte(at) + " first (expected: F)");
            }
            long length = in.getUnsignedInt(at + 1);
            if (length > MAX_LENGTH) {
                throw new LimitExceededException("number", length, MAX_LENGTH);
            }
            if (in.readableBytes() < HEADER + length) {
                return false;
            }
            byte[] magnitude = new byte[(int) length];
            in.skipReadable(HEADER).readBytes(magnitude);
            out.accept(new BigInteger(1, magnitude));
            return true;
        }
    }

    /// Writes one number.
    static final class NumberEncoder implements Encoder<BigInteger> {
        @Override
        public void encode(BigInteger number, Output out) {
            byte[] bytes = number.toByteArray();
            out.buffer(5 + bytes.length).writeByte('F').writeInt(bytes.length).writeBytes(bytes);
        }
    }

    /// One a connection: it knows the product so far.
    private static final class FactorialHandler implements MessageHandler<BigInteger> {
        private BigInteger product = BigInteger.ONE;

        @Override
        public Class<BigInteger> messageType() {
            return BigInteger.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, BigInteger number) {
            product = product.multiply(number);
            if (product.bitLength() > MAX_LENGTH * 8) {
                ctx.close(); // multiplying ever longer numbers would hold up the loop
                return;
            }
            ctx.write(product);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }
}
