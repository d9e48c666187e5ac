package io.weft.codec.websocket;

import static io.weft.codec.websocket.Frames.buffer;
import static io.weft.codec.websocket.Frames.encode;
import static io.weft.codec.websocket.Frames.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameEncoderTest {
    private static FrameEncoder server() {
        return new FrameEncoder(Role.SERVER);
    }

    @Test
    void lengthsHaveTheirShortestForm() {
        assertThat(head(125)).isEqualTo(hex("827d"));
        assertThat(head(126)).isEqualTo(hex("827e007e"));
        assertThat(head(65_535)).isEqualTo(hex("827effff"));
        assertThat(head(65_536)).isEqualTo(hex("827f0000000000010000"));
    }

    private static byte[] head(int length) {
        byte[] wire = encode(server(), () -> WebSocketFrame.binary(buffer(new byte[length])));
        return Arrays.copyOf(wire, wire.length - length);
    }

    @Test
    void examplesOfTheRfcAreEncoded() {
        assertThat(encode(server(), () -> WebSocketFrame.text("Hello")))
                .isEqualTo(hex("810548656c6c6f"));
        assertThat(encode(new FrameEncoder(Frames.key(), 125), () -> WebSocketFrame.text("Hello")))
                .isEqualTo(hex("818537fa213d7f9f4d5158"));
        assertThat(encode(server(), () -> new Close(CloseStatus.NO_STATUS))).isEqualTo(hex("8800"));
    }

    @Test
    void eachFrameOfAClientHasAnotherMask() {
        FrameEncoder client = new FrameEncoder(Role.CLIENT);
        Set<String> masks = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            byte[] wire = encode(client, () -> WebSocketFrame.text(""));
            masks.add(Arrays.toString(Arrays.copyOfRange(wire, 2, 6)));
        }
        assertThat(masks).hasSizeGreaterThan(990);
    }

    @Test
    void framesOutOfPlaceAreRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> encode(server(), () -> new Continuation(buffer("a"), true, 0)));
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                encode(
                                        server(),
                                        () -> new Text(buffer("a"), false, 0),
                                        () -> WebSocketFrame.text("b")));
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                encode(
                                        server(),
                                        () -> new Close(CloseStatus.NORMAL),
                                        () -> new Ping(buffer("b"))));
    }

    @Test
    void framesThatAreNoneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(server(), () -> new Ping(buffer(new byte[126]))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(server(), () -> new Close(CloseStatus.ABNORMAL)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CloseStatus.NORMAL.because("\u20AC".repeat(42)));
        try (var payload = buffer("")) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Binary(payload, true, 8));
        }
    }

    @Test
    void encoderIsAsBeforeWhenAFrameWasRefused() {
        FrameEncoder encoder = server();
        var first = encode(encoder, () -> new Text(buffer("a"), false, 0));
        assertThatIllegalStateException()
                .isThrownBy(() -> encode(encoder, () -> WebSocketFrame.text("b")));
        var last = encode(encoder, () -> new Continuation(buffer("c"), true, 0));
        assertThat(Frames.join(first, last)).isEqualTo(hex("010161800163"));
    }
}
