package io.weft.examples;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.Codec;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.handler.codec.CodecHandler;
import io.weft.handler.tls.TlsEvent;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import org.jspecify.annotations.Nullable;

/// A chat over TLS: what one says, all others hear. Its certificate is made at the start and signed
/// by itself, so clients have to be told not to mind. Try it with
/// `openssl s_client -connect 127.0.0.1:8992`, twice.
public final class SecureChat {
    private static final int MAX_LINE = 1024;

    private static final Codec<String, String> LINES =
            new Codec<>(
                    () -> new LineDecoder(MAX_LINE).then(new StringDecoder()),
                    String.class,
                    LineEncoder::new);

    private SecureChat() {}

    public static void main(String[] args) {
        Example.main(8992, args, SecureChat::start);
    }

    static Example.Running start(Options options) {
        TlsContext tls = Example.tls(options);
        Crowd<Channel> everybody = new Crowd<>();
        return Example.tcp(
                options.withoutTls(),
                channel ->
                        channel.pipeline()
                                .addLast(TlsHandler.server(tls))
                                .addLast(new CodecHandler(LINES))
                                .addLast(new ChatHandler(everybody)));
    }

    private static final class ChatHandler implements MessageHandler<String> {
        private final Crowd<Channel> everybody;
        private Crowd<Channel>.@Nullable Member member;

        ChatHandler(Crowd<Channel> everybody) {
            this.everybody = everybody;
        }

        @Override
        public Class<String> messageType() {
            return String.class;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof TlsEvent.HandshakeComplete done) {
                member = Crowd.join(everybody, ctx);
                ctx.writeAndFlush("Welcome! You are protected by " + done.session().cipherSuite());
            }
            ctx.fireUserEventTriggered(event);
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, String message) {
            String line = message.strip();
            if (line.equalsIgnoreCase("bye")) {
                ctx.close();
                return;
            }
            String said = line.replace('\0', ' ').replace('\r', ' ');
            if (member == null) {
                return; // before the handshake nobody is heard
            }
            member.tell(
                    other -> {
                        // A client that does not read misses messages.
                        if (other.isWritable()) {
                            other.writeAndFlush(
                                    other == ctx.channel() ? "you: " + said : "> " + said);
                        }
                    });
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (member != null) {
                member.leave();
            }
            ctx.fireChannelInactive();
        }
    }
}
