package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Datagrams that some kernels would send, and others not.
@EveryTransport
class DatagramRefusalTest {
    private final Rig rig;
    private final Lengths lengths = new Lengths();
    private final Channel server;

    DatagramRefusalTest(String transport) throws IOException {
        Assumptions.assumeFalse(transport.equals("local"), "streams only");
        rig = new Rig(transport, 1);
        server =
                bootstrap(lengths)
                        .option(ChannelOption.SO_RCVBUF, 1 << 20)
                        .bind(Rig.ANY_PORT)
                        .join();
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// Writes down the lengths of what comes.
    private static final class Lengths implements ChannelHandler {
        final List<Integer> seen = new CopyOnWriteArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Datagram datagram = (Datagram) message) {
                seen.add(datagram.content().readableBytes());
            }
        }
    }

    private DatagramBootstrap bootstrap(ChannelHandler handler) {
        return new DatagramBootstrap(rig.group).handler(ch -> ch.pipeline().addLast(handler));
    }

    private static SocketAddress address(Channel channel) {
        return channel.eventLoop().submit(channel::localAddress).join();
    }

    private static Promise<Void> send(
            Channel from, int length, @Nullable SocketAddress to, int segmentSize) {
        Buffer content = Rig.buffer(new byte[length]);
        Promise<Void> promise = from.newPromise();
        from.writeAndFlush(new Datagram(content, to, segmentSize), promise);
        return promise;
    }

    @Test
    void connectedChannelSendsToItsPeerAlone() {
        Lengths others = new Lengths();
        Channel other = bootstrap(others).bind(Rig.ANY_PORT).join();
        Channel client = bootstrap(new Lengths()).connect(address(server)).join();
        assertThatThrownBy(send(client, 1, address(other), 0)::join)
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("recipient: " + address(other))
                .hasMessageContaining(address(server).toString());
        send(client, 2, address(server), 0).join();
        send(client, 3, null, 0).join();
        Rig.awaitTrue("both", () -> lengths.seen.size() == 2);
        assertThat(lengths.seen).containsExactly(2, 3);
        assertThat(others.seen).isEmpty();
    }

    /// A proxy's word changes what a channel tells, and not where it sends to.
    @Test
    void proxiedAddressesAreNoPeer() {
        Channel client = bootstrap(new Lengths()).bind(Rig.ANY_PORT).join();
        SocketAddress own = address(client);
        Rig.onLoop(client, () -> client.proxiedAddresses(own, own));
        send(client, 1, address(server), 0).join();
        Rig.awaitTrue("it", () -> lengths.seen.size() == 1);
    }

    @ParameterizedTest
    @CsvSource({
        "65, 1, segments: 65 of 1 bytes (expected: at most 64)",
        "200, 1, segments: 200 of 1 bytes (expected: at most 64)",
        "6401, 100, segments: 65 of 100 bytes (expected: at most 64)",
        "65508, 1400, bytes in segments: 65508 (expected: at most 65507)",
    })
    void segmentsBeyondTheLimitAreRefused(int length, int segmentSize, String message) {
        Channel client = bootstrap(new Lengths()).bind(Rig.ANY_PORT).join();
        assertThatThrownBy(send(client, length, address(server), segmentSize)::join)
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        send(client, 7, address(server), 0).join();
        Rig.awaitTrue("the next", () -> !lengths.seen.isEmpty());
        assertThat(lengths.seen).containsExactly(7);
    }

    @ParameterizedTest
    @CsvSource({"64, 1, 64", "6400, 100, 64", "100, 100, 1", "0, 100, 1", "10, 65507, 1"})
    void segmentsWithinTheLimitArrive(int length, int segmentSize, int count) {
        Channel client = bootstrap(new Lengths()).bind(Rig.ANY_PORT).join();
        send(client, length, address(server), segmentSize).join();
        Rig.awaitTrue("all", () -> lengths.seen.size() == count);
        assertThat(lengths.seen.stream().mapToInt(Integer::intValue).sum()).isEqualTo(length);
    }
}
