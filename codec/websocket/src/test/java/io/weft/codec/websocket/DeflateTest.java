package io.weft.codec.websocket;

import static io.weft.codec.websocket.Frames.buffer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Messages compressed and expanded again.
class DeflateTest {
    private static final WebSocketLimits LIMITS =
            WebSocketLimits.DEFAULT.messageBytes(1 << 20).ratio(2000);

    private static DeflateParameters agreed(int bits, boolean noTakeover) {
        return new DeflateParameters(noTakeover, false, bits, 15);
    }

    private static MessageDeflater server(DeflateParameters agreed) {
        return new MessageDeflater(Role.SERVER, agreed, -1, 0);
    }

    /// The frames that `deflater` makes of `message`.
    private static List<Data> deflate(MessageDeflater deflater, WebSocketFrame... message) {
        List<Data> frames = new ArrayList<>();
        for (WebSocketFrame frame : message) {
            deflater.encode(frame, out -> frames.add((Data) out));
        }
        return frames;
    }

    private static String inflate(MessageInflater inflater, FrameJoiner joiner, List<Data> frames) {
        List<String> all = new ArrayList<>();
        for (Data frame : frames) {
            inflater.decode(frame, f -> joiner.decode(f, m -> all.add(Frames.describe(m))));
        }
        return String.join("|", all);
    }

    static Stream<Arguments> windows() {
        return IntStream.rangeClosed(8, 15)
                .boxed()
                .flatMap(bits -> Stream.of(Arguments.of(bits, true), Arguments.of(bits, false)));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void messagesSurviveAnyWindow(int bits, boolean noTakeover) {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        DeflateParameters agreed = agreed(bits, noTakeover);
        try (MessageDeflater deflater = server(agreed);
                MessageInflater inflater = new MessageInflater(Role.CLIENT, agreed, LIMITS);
                FrameJoiner joiner = new FrameJoiner(LIMITS)) {
            for (int length : new int[] {0, 1, 5, 127, 128, 129, 1000, 0, 40_000, 100_000, 3}) {
                String text = words(random, length);
                List<Data> frames = deflate(deflater, WebSocketFrame.text(text));
                assertThat(inflate(inflater, joiner, frames)).isEqualTo("text " + text);
            }
        }
    }

    private static String words(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("word").append(random.nextInt(200)).append(' ');
        }
        return text.substring(0, length);
    }

    @ParameterizedTest
    @MethodSource("windows")
    void distancesAreWithinTheWindow(int bits, boolean noTakeover) {
        SplittableRandom random = new SplittableRandom(2);
        try (MessageDeflater deflater = server(agreed(bits, noTakeover))) {
            for (int i = 0; i < 3; i++) {
                for (Data frame : deflate(deflater, WebSocketFrame.text(words(random, 70_000)))) {
                    try (Buffer payload = frame.payload()) {
                        byte[] wire = new byte[payload.readableBytes()];
                        payload.readBytes(wire);
                        assertThat(Distances.longest(wire)).isLessThanOrEqualTo(1 << bits);
                    }
                }
            }
        }
    }

    @Test
    void contextMakesTheSecondMessageShorter() {
        String text = words(new SplittableRandom(3), 2000);
        assertThat(second(agreed(15, false), text)).isLessThan(second(agreed(15, true), text) / 4);
        assertThat(second(agreed(13, false), text)).isLessThan(second(agreed(13, true), text) / 4);
    }

    private static int second(DeflateParameters agreed, String text) {
        int length = 0;
        try (MessageDeflater deflater = server(agreed)) {
            for (int i = 0; i < 2; i++) {
                try (Data frame = deflate(deflater, WebSocketFrame.text(text)).getFirst()) {
                    length = frame.payload().readableBytes();
                }
            }
        }
        return length;
    }

    @Test
    void messageInFragmentsIsExpandedAsItComes() {
        try (MessageDeflater deflater = server(DeflateParameters.DEFAULT);
                MessageInflater inflater =
                        new MessageInflater(Role.CLIENT, DeflateParameters.DEFAULT, LIMITS)) {
            List<String> all = new ArrayList<>();
            for (WebSocketFrame frame :
                    List.of(
                            new Text(buffer("hello "), false, 0),
                            new Ping(buffer("?")),
                            new Continuation(buffer("world"), false, 0),
                            new Continuation(buffer(""), true, 0))) {
                deflater.encode(frame, f -> inflater.decode(f, m -> all.add(Frames.describe(m))));
            }
            assertThat(all)
                    .containsExactly(
                            "text begun hello ",
                            "ping ?",
                            "continuation begun world",
                            "continuation ");
        }
    }

    @Test
    void shortMessageIsNotCompressed() {
        try (MessageDeflater deflater =
                new MessageDeflater(Role.SERVER, DeflateParameters.DEFAULT, -1, 64)) {
            List<Data> frames = deflate(deflater, WebSocketFrame.text("x".repeat(63)));
            frames.addAll(deflate(deflater, WebSocketFrame.text("x".repeat(64))));
            assertThat(frames).extracting(Data::reserved).containsExactly(0, 4);
            frames.forEach(Data::close);
        }
    }

    @Test
    void messageBeyondTheLimitIsRefusedWhileItExpands() {
        WebSocketLimits limits = LIMITS.messageBytes(100_000);
        try (MessageDeflater deflater = server(DeflateParameters.DEFAULT);
                MessageInflater inflater =
                        new MessageInflater(Role.CLIENT, DeflateParameters.DEFAULT, limits)) {
            Data bomb =
                    deflate(deflater, WebSocketFrame.binary(buffer(new byte[10 << 20]))).getFirst();
            long[] out = new long[1];
            var error =
                    catchThrowableOfType(
                            WebSocketException.class,
                            () ->
                                    inflater.decode(
                                            bomb,
                                            f -> {
                                                out[0] += ((Data) f).payload().readableBytes();
                                                f.close();
                                            }));
            assertThat(error.status()).isEqualTo(CloseStatus.TOO_BIG);
            assertThat(out[0]).isLessThanOrEqualTo(100_000);
        }
    }

    @Test
    void compressionGoesOnWithoutContextWhenMemoryCouldNotBeHad() {
        for (int bits : new int[] {12, 15}) {
            DeflateParameters agreed = agreed(bits, false);
            try (MessageDeflater deflater = server(agreed);
                    MessageInflater inflater = new MessageInflater(Role.CLIENT, agreed, LIMITS);
                    FrameJoiner joiner = new FrameJoiner(LIMITS)) {
                String text = words(new SplittableRandom(4), 9000);
                inflate(inflater, joiner, deflate(deflater, WebSocketFrame.text(text)));
                WebSocketFrame lost = WebSocketFrame.text(text + text);
                AllocationTap.set(
                        capacity -> {
                            throw AllocationTap.refusal(capacity);
                        });
                try {
                    assertThatExceptionOfType(MemoryLimitException.class)
                            .isThrownBy(() -> deflate(deflater, lost));
                } finally {
                    AllocationTap.set(null);
                }
                assertThat(inflate(inflater, joiner, deflate(deflater, WebSocketFrame.text(text))))
                        .isEqualTo("text " + text);
            }
        }
    }

    /// A [FrameEncoder] refuses a message within another, and what is too large for memory.
    @ParameterizedTest
    @MethodSource("windows")
    void messageIsIntactWhenAFrameWithinItIsRefused(int bits, boolean noTakeover) {
        DeflateParameters agreed = agreed(bits, noTakeover);
        try (MessageDeflater deflater = new MessageDeflater(Role.SERVER, agreed, -1, 64);
                MessageInflater inflater = new MessageInflater(Role.CLIENT, agreed, LIMITS);
                FrameJoiner joiner = new FrameJoiner(LIMITS)) {
            String lost = words(new SplittableRandom(5), 1000);
            List<Data> sent = deflate(deflater, new Text(buffer("begun "), false, 0));
            refused(deflater, new Continuation(buffer(lost), false, 0));
            refused(deflater, WebSocketFrame.text(lost));
            refused(deflater, WebSocketFrame.text("short"));
            sent.addAll(deflate(deflater, new Continuation(buffer(lost), true, 0)));
            refused(deflater, WebSocketFrame.text("new " + lost));
            sent.addAll(deflate(deflater, WebSocketFrame.text("new " + lost)));
            assertThat(inflate(inflater, joiner, sent))
                    .isEqualTo("text begun " + lost + "|text new " + lost);
        }
    }

    private static void refused(MessageDeflater deflater, WebSocketFrame frame) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(
                        () ->
                                deflater.encode(
                                        frame,
                                        f -> {
                                            f.close();
                                            throw new IllegalStateException("intended");
                                        }));
    }

    @Test
    void messageWithBitsOfAnotherExtensionPasses() {
        try (MessageDeflater deflater = server(DeflateParameters.DEFAULT)) {
            Data frame = deflate(deflater, new Binary(buffer("abc"), true, 2)).getFirst();
            assertThat(frame.reserved()).isEqualTo(2);
            frame.close();
        }
    }
}
