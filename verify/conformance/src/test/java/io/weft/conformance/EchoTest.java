package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bytes arrive as they were sent, whatever their number and however they are cut.
@EveryTransport
class EchoTest {
    private final Rig rig;
    private final long seed = Long.getLong("io.weft.test.seed", 1);

    EchoTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static String hash(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    /// Sends `bytes` in pieces of random size, on a thread of its own.
    private CompletableFuture<Void> sendInPieces(Socket peer, byte[] bytes) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        Random random = new Random(seed);
                        OutputStream out = peer.getOutputStream();
                        for (int at = 0; at < bytes.length; ) {
                            int bound = random.nextBoolean() ? 100 : 100_000;
                            int piece = Math.min(1 + random.nextInt(bound), bytes.length - at);
                            out.write(bytes, at, piece);
                            at += piece;
                        }
                        peer.shutdownOutput();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16_383, 16_384, 16_385, 65_536, 1_000_003, 8 << 20})
    void whatIsSentInPiecesComesBackWhole(int length) throws Exception {
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        Socket peer = rig.connect(address);
        byte[] bytes = randomBytes(length);
        CompletableFuture<Void> sending = sendInPieces(peer, bytes);
        byte[] echoed = peer.getInputStream().readNBytes(length);
        Rig.await(sending);
        assertThat(echoed).as("seed %d", seed).hasSize(length);
        assertThat(hash(echoed)).as("seed %d", seed).isEqualTo(hash(bytes));
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void whatIsAnsweredInPiecesComesBackWhole() throws Exception {
        SocketAddress address =
                rig.listen(ch -> ch.pipeline().addLast(new CuttingEcho(new Random(seed))));
        Socket peer = rig.connect(address);
        byte[] bytes = randomBytes(2 << 20);
        CompletableFuture<Void> sending = sendInPieces(peer, bytes);
        byte[] echoed = peer.getInputStream().readNBytes(bytes.length);
        Rig.await(sending);
        assertThat(hash(echoed)).as("seed %d", seed).isEqualTo(hash(bytes));
    }

    /// Sends back what it gets in buffers of random size, some of them empty, and flushes at
    /// random.
    private static final class CuttingEcho implements ChannelHandler {
        private final Random random;

        CuttingEcho(Random random) {
            this.random = random;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                while (buffer.isReadable()) {
                    ctx.write(
                            buffer.split(Math.min(random.nextInt(2_000), buffer.readableBytes())));
                    if (random.nextInt(10) == 0) {
                        ctx.flush();
                    }
                }
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }

    @Test
    void bothSidesMayBeWeft() throws Exception {
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        byte[] bytes = randomBytes(32 << 20); // more than all buffers between them hold
        Talker talker = new Talker(bytes);
        Channel channel = rig.connectWeft(address, ch -> ch.pipeline().addLast(talker));
        byte[] echoed = Rig.await(talker.echoed);
        assertThat(hash(echoed)).as("seed %d", seed).isEqualTo(hash(bytes));
        channel.close().join();
    }

    /// Sends while the channel is writable and collects the echo.
    private static final class Talker implements ChannelHandler {
        final CompletableFuture<byte[]> echoed = new CompletableFuture<>();
        private final byte[] bytes;
        private final byte[] back;
        private int sent;
        private int received;

        Talker(byte[] bytes) {
            this.bytes = bytes;
            this.back = new byte[bytes.length];
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            talk(ctx);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            talk(ctx);
        }

        private void talk(ChannelHandlerContext ctx) {
            while (sent < bytes.length && ctx.channel().isWritable()) {
                int length = Math.min(10_000, bytes.length - sent);
                Buffer buffer = ctx.channel().allocator().allocate(length);
                buffer.writeBytes(bytes, sent, length);
                sent += length; // first: the write may change writability, and come back here
                ctx.write(buffer);
            }
            ctx.flush();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                int length = buffer.readableBytes();
                buffer.readBytes(back, received, length);
                received += length;
            }
            if (received == bytes.length) {
                echoed.complete(back);
            }
        }
    }

    @Test
    void fiveHundredConnectionsAreServedByAllLoops() throws Exception {
        Set<String> loops = ConcurrentHashMap.newKeySet();
        SocketAddress address =
                rig.listen(
                        ch -> {
                            loops.add(Thread.currentThread().getName());
                            ch.pipeline().addLast(new Echo());
                        });
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            peers.add(rig.connect(address));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < peers.size(); i++) {
                Rig.send(peers.get(i), "peer %4d".formatted(i));
            }
            for (int i = 0; i < peers.size(); i++) {
                assertThat(Rig.receive(peers.get(i), 9)).isEqualTo("peer %4d".formatted(i));
            }
        }
        assertThat(loops).hasSize(rig.transport().equals("sim") ? 1 : 2); // threads
    }
}
