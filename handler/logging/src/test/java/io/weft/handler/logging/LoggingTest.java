package io.weft.handler.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoggingTest {
    private static final class Lines implements System.Logger {
        final List<String> lines = new ArrayList<>();

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.TRACE;
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String message,
                @Nullable Throwable thrown) {
            lines.add(String.valueOf(message));
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... params) {
            lines.add(String.valueOf(format));
        }
    }

    private static Buffer bytes(String ascii) {
        return BufferAllocator.pooled().allocate(ascii.length()).writeAscii(ascii);
    }

    @Test
    void eventsAndContentsAreShown() {
        Lines log = new Lines();
        var handler =
                new LoggingHandler(log, System.Logger.Level.INFO, LoggingHandler.Format.HEX_DUMP);
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.receive("hi\r\nforged");
            channel.channel().writeAndFlush(bytes("x".repeat(1000)));
        }
        assertThat(log.lines)
                .anyMatch(line -> line.endsWith("ACTIVE"))
                .anyMatch(line -> line.contains("READ: 10 bytes") && line.contains("68 69 0d 0a"))
                .anyMatch(line -> line.contains("WRITE: 1000 bytes") && line.endsWith("..."))
                .anyMatch(line -> line.endsWith("FLUSH"))
                .anyMatch(line -> line.endsWith("INACTIVE"))
                .allMatch(line -> line.length() < 2500);
    }

    @Test
    void nothingThatIsLoggedForgesALine() {
        assertThat(LoggingHandler.escaped("a\r\nINFO b\u2028\\\0"))
                .isEqualTo("a\\u000d\\u000aINFO b\\u2028\\u005c\\u0000");
        assertThat(LoggingHandler.escaped("x".repeat(1000))).hasSize(259);
    }

    @Test
    void aLevelThatIsOffCostsNothing() {
        Lines log = new Lines();
        var handler =
                new LoggingHandler(log, System.Logger.Level.TRACE, LoggingHandler.Format.SIMPLE);
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.receive("x");
        }
        assertThat(log.lines).isEmpty();
    }

    private static byte[] capture(String local, String remote) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (PcapWriter writer = new PcapWriter(file)) {
            var handler =
                    new PcapHandler(
                            writer,
                            () -> Instant.ofEpochSecond(1_000_000_000, 5000),
                            _ -> new InetSocketAddress(local, 80),
                            _ -> new InetSocketAddress(remote, 4000));
            try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
                channel.receive("question");
                channel.channel().writeAndFlush(bytes("answer"));
            }
        }
        return file.toByteArray();
    }

    @Test
    void aCaptureIsAWholeConnection() throws IOException {
        for (String[] ends : new String[][] {{"192.0.2.1", "192.0.2.2"}, {"::1", "192.0.2.2"}}) {
            ByteBuffer file =
                    ByteBuffer.wrap(capture(ends[0], ends[1])).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(file.getInt()).isEqualTo(0xA1B2C3D4);
            file.position(24);
            List<String> packets = new ArrayList<>();
            int header = ends[0].indexOf(':') < 0 ? 20 : 40;
            while (file.hasRemaining()) {
                assertThat(file.getInt()).isEqualTo(1_000_000_000);
                assertThat(file.getInt()).isEqualTo(5);
                int length = file.getInt();
                assertThat(file.getInt()).isEqualTo(length);
                ByteBuffer p = file.slice(file.position(), length).order(ByteOrder.BIG_ENDIAN);
                String content =
                        new String(
                                p.array(),
                                p.arrayOffset() + header + 20,
                                length - header - 20,
                                java.nio.charset.StandardCharsets.US_ASCII);
                packets.add(
                        p.getShort(header)
                                + " "
                                + p.getInt(header + 4)
                                + " "
                                + p.getInt(header + 8)
                                + " "
                                + p.get(header + 13)
                                + " "
                                + content);
                file.position(file.position() + length);
            }
            assertThat(packets)
                    .containsExactly(
                            "4000 0 0 2 ",
                            "80 0 1 18 ",
                            "4000 1 1 16 ",
                            "4000 1 1 24 question",
                            "80 1 9 16 ",
                            "80 1 9 24 answer",
                            "4000 9 7 16 ",
                            "80 7 9 17 ",
                            "4000 9 8 17 ",
                            "4000 10 8 16 ");
        }
    }

    @Test
    void aFileThatFailsDoesNotHurtTheChannel() throws IOException {
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("no space left");
                    }
                };
        PcapWriter writer = new PcapWriter(full);
        var handler =
                new PcapHandler(
                        writer,
                        Instant::now,
                        _ -> new InetSocketAddress("192.0.2.1", 80),
                        _ -> new InetSocketAddress("192.0.2.2", 4000));
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            for (int i = 0; i < 100; i++) {
                channel.channel().writeAndFlush(bytes("x".repeat(1000)));
            }
            assertThat(channel.takeOutbound()).hasSize(100_000);
        }
    }
}
