package io.weft.handler.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.Datagram;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Captures, read back by a parser that believes nothing.
class PcapTest {
    private static final InetSocketAddress HERE = new InetSocketAddress("192.0.2.1", 53);
    private static final InetSocketAddress THERE = new InetSocketAddress("192.0.2.2", 4000);

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private record Packet(int protocol, int from, int to, int sequence, String content) {}

    private static Buffer bytes(String ascii) {
        return BufferAllocator.pooled().allocate(ascii.length()).writeAscii(ascii);
    }

    private PcapHandler handler(InetSocketAddress here, @Nullable InetSocketAddress there)
            throws IOException {
        return new PcapHandler(
                new PcapWriter(file), () -> Instant.ofEpochSecond(7, 8000), _ -> here, _ -> there);
    }

    private List<Packet> packets() {
        ByteBuffer in = ByteBuffer.wrap(file.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(in.getInt()).isEqualTo(0xA1B2C3D4);
        assertThat(in.getShort()).isEqualTo((short) 2);
        assertThat(in.getShort()).isEqualTo((short) 4);
        assertThat(in.getLong()).isZero();
        int snap = in.getInt();
        assertThat(in.getInt()).isEqualTo(101);
        List<Packet> packets = new ArrayList<>();
        while (in.hasRemaining()) {
            assertThat(in.getInt()).isEqualTo(7);
            assertThat(in.getInt()).isEqualTo(8);
            int length = in.getInt();
            assertThat(in.getInt()).isEqualTo(length).isLessThanOrEqualTo(snap);
            byte[] packet = new byte[length];
            in.get(packet);
            packets.add(packet(ByteBuffer.wrap(packet)));
        }
        return packets;
    }

    private static Packet packet(ByteBuffer p) {
        boolean v4 = p.get(0) >>> 4 == 4;
        int header = v4 ? 20 : 40;
        int protocol = p.get(v4 ? 9 : 6);
        int length = p.capacity() - header;
        if (v4) {
            assertThat(p.getShort(2) & 0xFFFF).isEqualTo(p.capacity());
            assertThat(sum(p, 0, 20)).as("sum of the header").isEqualTo(0xFFFF);
        } else {
            assertThat(p.getShort(4) & 0xFFFF).isEqualTo(length);
        }
        int addresses = v4 ? 12 : 8;
        int sum = sum(p, addresses, p.capacity() - addresses) + protocol + length;
        assertThat((sum & 0xFFFF) + (sum >>> 16)).as("sum of %s", protocol).isEqualTo(0xFFFF);
        int data = header + (protocol == 17 ? 8 : (p.get(header + 12) >>> 4 & 15) * 4);
        if (protocol == 17) {
            assertThat(p.getShort(header + 4) & 0xFFFF).isEqualTo(length);
        }
        return new Packet(
                protocol,
                p.getShort(header) & 0xFFFF,
                p.getShort(header + 2) & 0xFFFF,
                protocol == 17 ? 0 : p.getInt(header + 4),
                US_ASCII.decode(p.slice(data, p.capacity() - data)).toString());
    }

    private static int sum(ByteBuffer p, int from, int length) {
        int sum = 0;
        for (int i = 0; i < length; i++) {
            int b = p.get(from + i) & 0xFF;
            sum += (i & 1) == 0 ? b << 8 : b;
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.9", "2001:db8::9"})
    void datagramsAreUdp(String peer) throws IOException {
        InetSocketAddress address = new InetSocketAddress(peer, 999);
        ChannelHandlerContext[] network = new ChannelHandlerContext[1];
        ChannelHandler below =
                new ChannelHandler() {
                    @Override
                    public void handlerAdded(ChannelHandlerContext ctx) {
                        network[0] = ctx;
                    }

                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ((Datagram) message).close();
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(below, handler(HERE, null))) {
            Objects.requireNonNull(network[0]).fireChannelRead(new Datagram(bytes("odd"), address));
            ((Datagram) Objects.requireNonNull(channel.readInbound())).close();
            channel.channel().write(new Datagram(bytes(""), address));
            channel.channel().write(new Datagram(bytes("aaabbbc"), address, 3));
        }
        assertThat(packets())
                .containsExactly(
                        new Packet(17, 999, 53, 0, "odd"),
                        new Packet(17, 53, 999, 0, ""),
                        new Packet(17, 53, 999, 0, "aaa"),
                        new Packet(17, 53, 999, 0, "bbb"),
                        new Packet(17, 53, 999, 0, "c"));
    }

    @Test
    void everythingThatIsSentIsThere(@TempDir Path directory) throws IOException {
        Path region = Files.write(directory.resolve("file"), new byte[1000]);
        try (EmbeddedChannel channel = new EmbeddedChannel(handler(HERE, THERE))) {
            channel.channel()
                    .write(
                            new CompositeBuffer(BufferAllocator.pooled())
                                    .add(bytes("two "))
                                    .add(bytes("parts")));
            channel.channel().write(bytes("x".repeat(40_000)));
            channel.channel().write(FileRegion.open(region));
            channel.channel().write(bytes("behind"));
        }
        List<Packet> sent =
                packets().stream().filter(p -> p.from() == 53 && !p.content().isEmpty()).toList();
        assertThat(sent).extracting(p -> p.content().length()).containsExactly(9, 32_000, 8000, 6);
        assertThat(sent).extracting(Packet::sequence).containsExactly(1, 10, 32_010, 41_010);
        assertThat(sent.getFirst().content()).isEqualTo("two parts");
    }
}
