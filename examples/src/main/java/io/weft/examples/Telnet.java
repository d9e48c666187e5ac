package io.weft.examples;

import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.Codec;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.handler.codec.CodecHandler;

/// A conversation in lines of text. Try it with `telnet 127.0.0.1 8023`.
public final class Telnet {
    private static final int MAX_LINE = 1024;

    private static final Codec<String, String> LINES =
            new Codec<>(
                    () -> new LineDecoder(MAX_LINE).then(new StringDecoder()),
                    String.class,
                    LineEncoder::new);

    private Telnet() {}

    public static void main(String[] args) {
        Example.main(8023, args, Telnet::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options,
                channel ->
                        channel.pipeline()
                                .addLast(new CodecHandler(LINES))
                                .addLast(new TelnetHandler()));
    }

    /// Gets text and writes text; what lies between is the business of the handlers before it.
    private static final class TelnetHandler implements MessageHandler<String> {
        @Override
        public Class<String> messageType() {
            return String.class;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.write("Welcome! Say something; \"bye\" ends it.");
            ctx.flush();
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, String message) {
            String line = message.strip();
            if (line.isEmpty()) {
                ctx.write("Please say something.");
            } else if (line.equalsIgnoreCase("bye")) {
                ctx.write("Have a good day!");
                ctx.flush();
                ctx.close();
            } else {
                ctx.write("Did you say \"" + line.replace('\0', ' ').replace('\r', ' ') + "\"?");
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }
}
