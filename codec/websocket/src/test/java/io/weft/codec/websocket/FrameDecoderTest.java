package io.weft.codec.websocket;

import static io.weft.codec.websocket.Frames.buffer;
import static io.weft.codec.websocket.Frames.hex;
import static io.weft.codec.websocket.Frames.masked;
import static io.weft.codec.websocket.Frames.plain;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
    private static List<String> decode(FrameDecoder decoder, byte[] wire) {
        List<String> all = new ArrayList<>();
        try (Buffer in = buffer(wire);
                decoder) {
            decoder.decode(in, frame -> all.add(Frames.describe(frame)));
        }
        return all;
    }

    private static FrameDecoder server() {
        return new FrameDecoder(Role.SERVER, WebSocketLabTest.LIMITS, 4, false);
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.websocket.Vectors#MALFORMED")
    void malformedStreamFailsWithItsCloseCode(Vectors.Malformed bad) {
        var error =
                catchThrowableOfType(WebSocketException.class, () -> decode(server(), bad.wire()));
        assertThat(error.status().code()).isEqualTo(bad.code());
    }

    @Test
    void examplesOfTheRfcAreDecoded() {
        assertThat(decode(server(), hex("8185 37fa213d 7f9f4d5158"))).containsExactly("text Hello");
        assertThat(decode(server(), hex("8985 37fa213d 7f9f4d5158"))).containsExactly("ping Hello");
        assertThat(
                        decode(
                                new FrameDecoder(Role.CLIENT, WebSocketLimits.DEFAULT),
                                hex("0103 48656c 8002 6c6f 8a05 48656c6c6f")))
                .containsExactly("text begun Hel", "continuation lo", "pong Hello");
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1002, 1003, 1007, 1008, 1011, 1014, 3000, 3999, 4000, 4999})
    void closeCodesThatMayBeSentAreTaken(int code) {
        byte[] wire = masked(0x88, new byte[] {(byte) (code >> 8), (byte) code});
        assertThat(decode(server(), wire)).containsExactly("close " + code);
    }

    @Test
    void longestReasonIsTaken() {
        byte[] wire = masked(0x88, Frames.join(hex("03e8"), "r".repeat(123).getBytes(US_ASCII)));
        assertThat(decode(server(), wire)).containsExactly("close 1000 " + "r".repeat(123));
    }

    @Test
    void inputBehindACloseFrameIsIgnored() {
        byte[] wire = Frames.join(masked(0x88, hex("03e8")), masked(0x81, "x"), hex("ffff"));
        assertThat(decode(server(), wire)).containsExactly("close 1000");
    }

    /// A message of `first`, `count` empty frames, and whatever is behind them.
    private static byte[] empties(byte[] first, int count, byte[] behind) {
        byte[] all = first;
        for (int i = 0; i < count; i++) {
            all = Frames.join(all, masked(0x00, ""));
        }
        return Frames.join(all, behind);
    }

    @Test
    void emptyFramesOfAMessageAreCounted() {
        byte[] end = masked(0x80, "");
        assertThat(decode(server(), empties(masked(0x01, "x"), 128, end))).hasSize(130);
        var error =
                catchThrowableOfType(
                        WebSocketException.class,
                        () -> decode(server(), empties(masked(0x01, "x"), 129, end)));
        assertThat(error.status().code()).isEqualTo(1009);
    }

    @Test
    void emptyFramesMayGoWithOthersWithoutEnd() {
        byte[] pair = Frames.join(masked(0x00, "y"), masked(0x00, ""));
        byte[] wire = masked(0x01, "");
        for (int i = 0; i < 1000; i++) {
            wire = Frames.join(wire, pair);
        }
        assertThat(decode(server(), wire)).hasSize(2001);
    }

    @Test
    void eachMessageMayHaveEmptyFrames() {
        byte[] message = empties(masked(0x01, ""), 127, masked(0x80, ""));
        assertThat(decode(server(), Frames.join(message, message, message))).hasSize(387);
    }

    @Test
    void invalidTextFailsBeforeItsFrameIsWhole() {
        byte[] frame = masked(0x81, Frames.join(hex("ff"), new byte[2000]));
        FrameDecoder decoder = server();
        try (Buffer in = buffer(Arrays.copyOf(frame, 9));
                decoder) {
            var error =
                    catchThrowableOfType(
                            WebSocketException.class, () -> decoder.decode(in, f -> f.close()));
            assertThat(error.status()).isEqualTo(CloseStatus.INVALID_DATA);
        }
    }

    @Test
    void payloadOfAServersFrameIsNotCopied() {
        FrameDecoder decoder = new FrameDecoder(Role.CLIENT, WebSocketLimits.DEFAULT);
        try (Buffer in = buffer(plain(0x82, new byte[1000]));
                decoder) {
            decoder.decode(
                    in,
                    frame -> {
                        Buffer payload = ((WebSocketFrame.Binary) frame).payload();
                        in.setByte(4, 77);
                        assertThat(payload.getByte(0)).isEqualTo((byte) 77);
                        payload.release();
                    });
        }
    }

    @Test
    void inputOfTheCallerIsNotUnmaskedInPlace() {
        byte[] wire = masked(0x82, "some bytes of the caller's");
        try (Buffer in = buffer(wire);
                FrameDecoder decoder = server()) {
            decoder.decode(in, WebSocketFrame::close);
            assertThat(in.contentEquals(0, wire, 0, wire.length)).isTrue();
        }
    }

    @Test
    void maskingIsThatOfTheRfcAtAnyLengthAndPlace() {
        SplittableRandom random = new SplittableRandom(1);
        for (int length = 0; length < 200; length++) {
            byte[] payload = new byte[length];
            random.nextBytes(payload);
            int key = random.nextInt();
            int cut = random.nextInt(length + 1);
            try (Buffer from = buffer(payload);
                    Buffer to = buffer(new byte[3])) {
                Masking.copy(from, cut, key, to);
                Masking.copy(from, length - cut, Masking.after(key, cut), to);
                for (int i = 0; i < length; i++) {
                    int octet = key >>> (24 - 8 * (i % 4));
                    assertThat(to.getByte(3 + i)).isEqualTo((byte) (payload[i] ^ octet));
                }
            }
        }
    }
}
