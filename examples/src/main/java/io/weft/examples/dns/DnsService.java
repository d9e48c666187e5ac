package io.weft.examples.dns;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.DecoderException;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsException;
import io.weft.codec.dns.DnsMessage;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// DNS over UDP and TCP at one port, for the examples that serve it.
final class DnsService {
    /// Octets of a datagram that no network cuts into fragments (RFC 9715).
    private static final int MAX_DATAGRAM = 1232;

    /// A connection may be idle for so long.
    private static final int IDLE_SECONDS = 15;

    /// With so many queries without an answer it is not read on. More may be decoded already, of
    /// the bytes that were read together.
    private static final int MAX_PENDING = 128;

    private static final int MAX_DECODED = 8192;

    /// Ports of the system's choice that are tried until one is free for both.
    private static final int PORTS_TO_TRY = 16;

    /// Answers queries. Called on loops, so it must not block.
    @FunctionalInterface
    interface Answering {
        /// @param reply takes the response, from any thread; over TCP several, of a transfer
        void answer(DnsMessage query, Client client, Consumer<DnsMessage> reply);
    }

    /// The client that asks.
    ///
    /// @param overTcp whether the answer may be of any length, and goes to who asked
    /// @param local whether it is a program of this machine
    record Client(boolean overTcp, boolean local) {
        static Client of(@Nullable SocketAddress address, boolean overTcp) {
            return new Client(
                    overTcp,
                    address instanceof InetSocketAddress from
                            && from.getAddress().isLoopbackAddress());
        }
    }

    private static final System.Logger LOG = System.getLogger("io.weft.examples.dns");

    private DnsService() {}

    /// Returns loops for a server with these options.
    static EventLoopGroup group(Options options) {
        String transport = options.plain("towards clients there is UDP too").transport();
        return EventLoopGroup.create(transport, options.loops());
    }

    /// Serves until it is closed, and `resources` with it.
    static Example.Running start(
            Options options, EventLoopGroup group, Answering answering, AutoCloseable resources) {
        ServerChannel server;
        try {
            server = bind(options, group, answering);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
        return new Example.Running() {
            @Override
            public InetSocketAddress address() {
                return (InetSocketAddress) server.localAddress();
            }

            @Override
            public String transport() {
                return group.transport();
            }

            @Override
            public void close() {
                try {
                    resources.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    group.close();
                }
            }
        };
    }

    private static ServerChannel bind(Options options, EventLoopGroup group, Answering answering) {
        for (int i = 1; ; i++) {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                            .childHandler(channel -> connection(channel, answering))
                            .bind(options.address())
                            .join();
            try {
                new DatagramBootstrap(group)
                        .option(ChannelOption.MAX_DATAGRAM_SIZE, 4096)
                        .handler(channel -> channel.pipeline().addLast(new Datagrams(answering)))
                        .bind((InetSocketAddress) server.localAddress())
                        .join();
                return server;
            } catch (CompletionException e) {
                // The port that is free for TCP may be taken for UDP.
                if (options.port() != 0
                        || i == PORTS_TO_TRY
                        || !(e.getCause() instanceof BindException)) {
                    throw e;
                }
                var _ = server.close();
            }
        }
    }

    private static void connection(Channel channel, Answering answering) {
        channel.pipeline()
                .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                .addLast(new EncoderHandler<>(DnsMessage.class, DnsEncoder.stream()))
                .addLast(new Connection(answering));
    }

    private static final class Datagrams implements MessageHandler<Datagram> {
        private final Answering answering;
        private final DnsDecoder decoder = DnsDecoder.datagrams();
        private final DnsEncoder encoder = DnsEncoder.datagrams(MAX_DATAGRAM);

        Datagrams(Answering answering) {
            this.answering = answering;
        }

        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
            Channel channel = ctx.channel();
            SocketAddress from = datagram.address();
            DnsMessage query;
            try {
                query = decoder.message(datagram.content());
            } catch (DnsException e) {
                DnsMessage reply = e.reply();
                if (reply != null) {
                    send(channel, reply, DnsEncoder.MIN_DATAGRAM, from);
                }
                return;
            }
            if (!query.flags().isResponse()) { // one of which would begin a loop
                int limit = Math.min(query.maxResponse(), MAX_DATAGRAM);
                answering.answer(
                        query,
                        Client.of(from, false),
                        response ->
                                channel.eventLoop()
                                        .execute(() -> send(channel, response, limit, from)));
            }
        }

        private void send(
                Channel channel, DnsMessage message, int limit, @Nullable SocketAddress to) {
            Output out = new Output();
            var _ = encoder.encode(message, limit, out);
            out.drain(buffer -> channel.writeAndFlush(new Datagram(buffer, to)));
        }

        /// A datagram to a port that is closed by now comes back as an error.
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (!(cause instanceof IOException)) {
                // Of one query: others come to the same channel.
                LOG.log(System.Logger.Level.WARNING, "a query was not answered", cause);
            }
        }
    }

    private static final class Connection implements MessageHandler<DnsMessage> {
        private final Answering answering;
        private @Nullable Timeout idle;
        private int pending;
        private boolean ended;

        Connection(Answering answering) {
            this.answering = answering;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            idle =
                    ctx.channel()
                            .eventLoop()
                            .schedule(ctx.channel()::close, IDLE_SECONDS, TimeUnit.SECONDS);
            ctx.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (idle != null) {
                idle.cancel();
            }
            ctx.fireChannelInactive();
        }

        @Override
        public Class<DnsMessage> messageType() {
            return DnsMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, DnsMessage query) {
            Channel channel = ctx.channel();
            if (query.flags().isResponse() || ++pending > MAX_DECODED) {
                ctx.close();
                return;
            }
            if (pending == MAX_PENDING) {
                channel.autoRead(false);
            }
            if (idle != null) {
                var _ = idle.rearm(IDLE_SECONDS, TimeUnit.SECONDS);
            }
            AtomicBoolean answered = new AtomicBoolean(); // a transfer is answered in parts
            answering.answer(
                    query,
                    Client.of(channel.remoteAddress(), true),
                    response -> {
                        boolean first = answered.compareAndSet(false, true);
                        channel.eventLoop().execute(() -> answered(channel, response, first));
                    });
        }

        private void answered(Channel channel, DnsMessage response, boolean first) {
            channel.writeAndFlush(response);
            if (first && --pending == MAX_PENDING - 1) {
                channel.autoRead(true);
            }
            closeIfDone(channel);
        }

        /// A client that has asked all that it wants may say so, and still waits for the answers.
        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            ended = true;
            closeIfDone(ctx.channel());
            ctx.fireChannelInputClosed();
        }

        private void closeIfDone(Channel channel) {
            if (ended && pending == 0) {
                channel.eventLoop().execute(channel::close); // behind all parts of a transfer
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            DnsMessage reply = cause instanceof DnsException broken ? broken.reply() : null;
            if (reply != null) {
                ctx.channel().writeAndFlush(reply);
            }
            if (cause instanceof DecoderException) {
                // Also of one that ends within a message. No more is read; what was asked before
                // is answered.
                ended = true;
                closeIfDone(ctx.channel());
            } else if (cause instanceof IOException) {
                ctx.close();
            } else {
                ctx.fireExceptionCaught(cause);
            }
        }
    }
}
