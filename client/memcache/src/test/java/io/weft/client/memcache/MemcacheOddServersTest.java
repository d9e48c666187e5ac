package io.weft.client.memcache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.testkit.SocketServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers stay with their requests, whatever else a server says or fails to say.
@Timeout(60)
class MemcacheOddServersTest {
    private static final int GET = 0x00;
    private static final int STAT = 0x10;
    private static final int SASL = 0x21;

    /// The fault of an answer to a GET of `bad`.
    enum Fault {
        TEXT,
        NO_MAGIC,
        REQUEST,
        HUGE,
        KEY_BEYOND_BODY,
        EXTRAS_BEYOND_BODY,
        OTHER_OPCODE,
        OTHER_OPAQUE,
        HALF,
        NONE_AND_THE_END
    }

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final SocketServer server = new SocketServer(this::serve);
    private final AtomicInteger greetings = new AtomicInteger();
    private final AtomicInteger statistics = new AtomicInteger();
    private volatile Fault fault = Fault.TEXT;

    @AfterEach
    void close() {
        server.close();
        group.close();
    }

    private void serve(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            in.readByte();
            int opcode = in.readUnsignedByte();
            int keyLength = in.readUnsignedShort();
            int extras = in.readUnsignedByte();
            in.skipNBytes(3);
            int body = in.readInt();
            int opaque = in.readInt();
            in.skipNBytes(8L + extras);
            String key = new String(in.readNBytes(keyLength), ISO_8859_1);
            in.skipNBytes(body - extras - keyLength);
            byte[] answer = answer(opcode, opaque, key);
            if (answer == null) {
                return;
            }
            socket.getOutputStream().write(answer);
        }
    }

    /// Returns null for the end of the connection.
    private byte @Nullable [] answer(int opcode, int opaque, String key) {
        switch (opcode) {
            case STAT -> {
                int turn = statistics.incrementAndGet();
                byte[] some =
                        join(
                                message(0x81, opcode, "a" + turn, "1", opaque),
                                message(0x81, opcode, "b" + turn, "2", opaque));
                byte[] end = message(0x81, opcode, "", "", opaque);
                switch (key) {
                    case "long" -> {
                        return repeat(some, Answers.MAX_STATISTICS / 2 + 1);
                    }
                    case "large" -> {
                        String large = "v".repeat(1 << 16);
                        return repeat(
                                message(0x81, opcode, "a" + turn, large, opaque),
                                Answers.MAX_STATISTICS_LENGTH >> 16);
                    }
                    default -> {}
                }
                return key.equals("half") ? some : join(some, end);
            }
            case SASL -> {
                return greetings.incrementAndGet() < 3
                        ? new byte[0]
                        : message(0x81, opcode, "", "", opaque);
            }
            default -> {}
        }
        if (key.equals("twice")) {
            byte[] once = message(0x81, opcode, "", "twice", opaque);
            return join(once, once);
        }
        if (key.equals("drop")) {
            return null;
        }
        byte[] good = message(0x81, opcode, "", key, opaque);
        if (!key.equals("bad")) {
            return good;
        }
        switch (fault) {
            case TEXT -> {
                return "ERROR\r\n".repeat(5).getBytes(ISO_8859_1);
            }
            case NO_MAGIC -> good[0] = 0x00;
            case REQUEST -> good[0] = (byte) 0x80;
            case HUGE -> good[8] = (byte) 0xFF;
            case KEY_BEYOND_BODY -> good[3] = 100;
            case EXTRAS_BEYOND_BODY -> good[4] = 100;
            case OTHER_OPCODE -> good[1]++;
            case OTHER_OPAQUE -> good[15]++;
            case HALF -> {
                return Arrays.copyOf(good, 10);
            }
            case NONE_AND_THE_END -> {
                return null;
            }
        }
        return good;
    }

    private static byte[] repeat(byte[] part, int times) {
        byte[][] parts = new byte[times][];
        Arrays.fill(parts, part);
        return join(parts);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] message(int magic, int opcode, String key, String value, int opaque) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int extras = opcode == GET ? 4 : 0;
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(magic);
            out.write(opcode);
            out.writeShort(key.length());
            out.write(extras);
            out.write(0);
            out.writeShort(0);
            out.writeInt(extras + key.length() + value.length());
            out.writeInt(opaque);
            out.writeLong(1);
            out.write(new byte[extras]);
            out.writeBytes(key);
            out.writeBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private MemcacheClient.Builder builder() {
        return MemcacheClient.builder(group)
                .address("127.0.0.1", server.port())
                .limits(
                        MemcacheClientLimits.DEFAULT
                                .timeout(Duration.ofMinutes(5))
                                .retries(Duration.ofMillis(1), Duration.ofMillis(10)));
    }

    /// Waits for the next connection: the first requests may be on their way when the last breaks.
    private static void awaitValue(MemcacheClient cache, String key) {
        while (true) {
            try (Item item = cache.get(key).join().orElseThrow()) {
                assertThat(item.text()).isEqualTo(key);
                return;
            } catch (CompletionException e) {
                assertThat(e).hasRootCauseInstanceOf(MemcacheFailure.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersThatCannotBeEndTheConnection(Fault what) {
        fault = what;
        try (MemcacheClient cache = builder().start()) {
            awaitValue(cache, "k");
            var bad = cache.get("bad");
            var drop = cache.get("drop"); // behind half an answer
            assertThatThrownBy(bad::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            assertThatThrownBy(drop::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            awaitValue(cache, "k");
        }
    }

    @Test
    void answersThatWereNotAskedForEndTheConnection() {
        try (MemcacheClient cache = builder().start()) {
            for (int i = 0; i < 5; i++) {
                awaitValue(cache, "k");
                awaitValue(cache, "twice");
            }
            awaitValue(cache, "k");
        }
    }

    @Test
    void statisticsThatBreakOffAreNotThoseOfTheNextConnection() {
        try (MemcacheClient cache = builder().start()) {
            awaitValue(cache, "k");
            Future<Map<String, String>> half = cache.statistics("half");
            var drop = cache.get("drop");
            assertThatThrownBy(half::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            assertThatThrownBy(drop::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            awaitValue(cache, "k");
            assertThat(cache.statistics("").join()).containsOnlyKeys("a2", "b2");
        }
    }

    @Test
    void serversThatNeverAnswerTheGreetingAreLeft() {
        MemcacheClientLimits limits =
                MemcacheClientLimits.DEFAULT
                        .timeout(Duration.ofMillis(300))
                        .retries(Duration.ofMillis(1), Duration.ofMillis(10));
        try (MemcacheClient cache = builder().auth("u", "p").limits(limits).start()) {
            awaitValue(cache, "k");
        }
        assertThat(greetings).hasValueGreaterThanOrEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"long", "large"})
    void statisticsWithoutAnEndEndTheConnection(String key) {
        try (MemcacheClient cache = builder().start()) {
            awaitValue(cache, "k");
            assertThatThrownBy(() -> cache.statistics(key).join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class)
                    .hasStackTraceContaining("statistics: ");
            awaitValue(cache, "k");
        }
    }
}
