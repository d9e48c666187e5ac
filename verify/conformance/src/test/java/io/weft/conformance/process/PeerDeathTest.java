package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A peer that is killed in the middle of everything ends its own connection, and no other.
@EveryTransport
class PeerDeathTest {
    private final Rig rig;

    PeerDeathTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// Sends without end, as far as the peer takes it, and counts what comes.
    private static final class Streaming implements ChannelHandler {
        final CompletableFuture<Void> flowing = new CompletableFuture<>();
        final CompletableFuture<Void> over = new CompletableFuture<>();
        private long received;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            send(ctx.channel());
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            send(ctx.channel());
        }

        private static void send(Channel channel) {
            while (channel.isActive() && channel.isWritable()) {
                channel.writeAndFlush(Rig.buffer(new byte[8192]));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                received += bytes.readableBytes();
            }
            if (received > 1 << 20) {
                flowing.complete(null);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            over.complete(null);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.channel().abort();
        }
    }

    @Test
    void aPeerKilledWhileBothSendEndsItsConnectionOnly() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        Streaming streaming = new Streaming();
        InetSocketAddress address =
                (InetSocketAddress) rig.listen(ch -> ch.pipeline().addLast(streaming));
        Process peer =
                new ProcessBuilder(
                                "/bin/bash",
                                "-c",
                                "exec 3<>/dev/tcp/127.0.0.1/$0; cat <&3 >/dev/null & exec cat /dev/zero >&3",
                                String.valueOf(address.getPort()))
                        .redirectErrorStream(true)
                        .start();
        try {
            Rig.await(streaming.flowing);
        } finally {
            peer.descendants().forEach(ProcessHandle::destroyForcibly);
            peer.destroyForcibly();
        }
        Rig.await(streaming.over);
        assertThat(peer.waitFor()).isNotZero();
        Rig.assertServed(rig.connect(rig.listen(ch -> ch.pipeline().addLast(new Echo()))));
    }
}
