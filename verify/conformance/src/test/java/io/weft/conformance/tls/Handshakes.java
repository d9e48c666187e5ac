package io.weft.conformance.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.SSLException;

/// Full handshakes of one kind of engine with itself, through handlers in channels in memory. Every
/// other one is broken off after some of its bytes: the connection breaks, ends, is closed by us,
/// or brings another byte; sometimes while a task waits.
final class Handshakes implements AutoCloseable {
    /// Kept on both sides, so that what is kept has its size after a while.
    private static final int SESSIONS = 64;

    private static final int LARGEST_PIECE = 2000;

    private static final List<End> ENDS = List.of(End.values());

    private enum End {
        BREAKS,
        ENDS,
        CLOSED,
        ANOTHER_BYTE
    }

    /// Nothing is logged of what is meant to fail.
    private static final class Ear implements ChannelHandler {
        int received;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer data = (Buffer) message) {
                received += data.readableBytes();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {}
    }

    private final class Connection {
        final TlsHandler clientTls;
        final TlsHandler serverTls = TlsHandler.server(server);
        final Ear ear = new Ear();
        final EmbeddedChannel from;
        final EmbeddedChannel to = new EmbeddedChannel(serverTls, new Ear());
        int carried;

        Connection(TlsContext client, int port) {
            clientTls = TlsHandler.client(client, "example.com", port);
            from = new EmbeddedChannel(clientTls, ear);
        }

        /// Until nothing moves, or `most` bytes have been carried.
        void carry(int most) {
            for (boolean moves = true; moves && carried < most; ) {
                moves = move(from, to, most);
                moves |= carried < most && move(to, from, most);
                moves |= carried < most && runTask();
            }
        }

        private boolean move(EmbeddedChannel source, EmbeddedChannel target, int most) {
            byte[] bytes = source.takeOutbound();
            for (int at = 0; at < bytes.length && carried < most; ) {
                int piece = 1 + random.nextInt(LARGEST_PIECE);
                int n = Math.min(Math.min(piece, bytes.length - at), most - carried);
                target.receive(BufferAllocator.pooled().allocate(n).writeBytes(bytes, at, n));
                at += n;
                carried += n;
            }
            return bytes.length > 0;
        }

        private boolean runTask() {
            Runnable task = tasks.poll();
            if (task == null) {
                return false;
            }
            task.run();
            from.runPending();
            to.runPending();
            return true;
        }

        boolean isComplete() {
            return clientTls.handshake().isSuccess() && serverTls.handshake().isSuccess();
        }

        void sendSomething() {
            to.channel().writeAndFlush(BufferAllocator.pooled().allocate(1).writeByte('x'));
            to.runPending();
            carry(Integer.MAX_VALUE);
            if (!isComplete() || ear.received != 1) {
                throw new IllegalStateException(
                        "no handshake: " + clientTls.handshake() + ", " + serverTls.handshake());
            }
        }

        void breakOff() {
            EmbeddedChannel one = random.nextBoolean() ? from : to;
            switch (ENDS.get(random.nextInt(ENDS.size()))) {
                case BREAKS -> one.fail(new IOException("broken off"));
                case ENDS -> one.receiveEnd();
                case CLOSED -> one.close();
                case ANOTHER_BYTE ->
                        one.receive(
                                BufferAllocator.pooled().allocate(1).writeByte(random.nextInt()));
            }
            if (random.nextBoolean()) {
                carry(Integer.MAX_VALUE);
            }
        }

        void close() {
            from.close();
            to.close();
            while (runTask()) {} // comes too late
        }
    }

    /// Of one protocol.
    private static final class Client {
        final TlsContext context;

        /// Number of bytes that the last complete handshake took.
        int handshake;

        Client(TlsContext context) {
            this.context = context;
        }
    }

    private final SplittableRandom random;
    private final List<Client> clients = new ArrayList<>();
    private final TlsContext server;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private int number;
    private int whole;

    Handshakes(TlsEngineKind kind, long seed) throws SSLException {
        random = new SplittableRandom(seed);
        Duration day = Duration.ofDays(1);
        server = TlsChannels.server(kind, s -> s.sessionCache(SESSIONS, day).tasks(tasks::add));
        for (TlsProtocol protocol : TlsProtocol.values()) {
            clients.add(
                    new Client(
                            TlsChannels.client(
                                    kind,
                                    c ->
                                            c.protocols(protocol)
                                                    .sessionCache(SESSIONS, day)
                                                    .tasks(tasks::add))));
        }
    }

    /// Number of handshakes that were completed.
    int whole() {
        return whole;
    }

    void run(int count) {
        for (int i = 0; i < count; i++, number++) {
            // Another port has no session to resume.
            one(clients.get(number / 2 % clients.size()), 1 + number % 0xFFFF, number % 2 == 1);
        }
    }

    private void one(Client client, int port, boolean breaks) {
        Connection connection = new Connection(client.context, port);
        try {
            if (breaks) {
                connection.carry(random.nextInt(client.handshake));
                connection.breakOff();
            } else {
                connection.carry(Integer.MAX_VALUE);
                client.handshake = connection.carried;
                connection.sendSomething();
                whole++;
            }
        } finally {
            connection.close();
        }
    }

    @Override
    public void close() {
        clients.forEach(client -> client.context.close());
        server.close();
    }
}
