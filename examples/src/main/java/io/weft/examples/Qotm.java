package io.weft.examples;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.List;

/// Answers each datagram with a quote of the moment, as of RFC 865:
/// `echo | nc -u -w1 127.0.0.1 8026`.
public final class Qotm {
    static final List<String> QUOTES =
            List.of(
                    "Where there is love there is life.",
                    "First they ignore you, then they laugh at you, then they fight you.",
                    "An ounce of practice is worth more than tons of preaching.");

    private Qotm() {}

    public static void main(String[] args) {
        Example.main(Taken.PLAIN_SOCKETS, 8026, args, Qotm::start);
    }

    static Example.Running start(Options options) {
        EventLoopGroup group =
                EventLoopGroup.create(options.plain("datagrams have none").transport(), 1);
        Channel channel;
        try {
            channel =
                    new DatagramBootstrap(group)
                            .handler(c -> c.pipeline().addLast(new QuoteHandler()))
                            .bind(options.address())
                            .join();
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
        return new Example.Running() {
            @Override
            public InetSocketAddress address() {
                if (channel.localAddress() instanceof InetSocketAddress address) {
                    return address;
                }
                throw new IllegalStateException("not bound");
            }

            @Override
            public String transport() {
                return group.transport();
            }

            @Override
            public void close() {
                group.close();
            }
        };
    }

    /// Answers in turn. A quote is shorter than 100 bytes, so that senders who forge the address of
    /// another send that one hardly more than they send here.
    private static final class QuoteHandler implements MessageHandler<Datagram> {
        private int next;

        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram question) {
            String quote = QUOTES.get(next++ % QUOTES.size());
            ctx.write(
                    new Datagram(
                            ctx.channel()
                                    .allocator()
                                    .allocate(quote.length() + 1)
                                    .writeAscii(quote + "\n"),
                            question.address()));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
            ctx.fireChannelReadComplete();
        }
    }
}
