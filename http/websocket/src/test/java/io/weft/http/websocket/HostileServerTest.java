package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.Role;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers whose frames a client must not take: it answers each with the close code of RFC 6455,
/// 7.4.1, hears nothing of the message, and ends the connection.
class HostileServerTest {
    private final Heard heard = new Heard();

    private Peer client(@Nullable DeflateParameters deflate) {
        return new Peer(Role.CLIENT, WebSocketSettings.DEFAULT, heard, deflate);
    }

    private static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private void assertRefused(byte[] frames, @Nullable DeflateParameters deflate, int code) {
        try (Peer peer = client(deflate)) {
            peer.channel.receive(buffer(frames));
            assertThat(heard.events).containsExactly("open", "close " + code);
            assertThat(peer.received()).containsExactly("close " + code);
            peer.channel.receiveEnd();
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // Masked, as only a client's are.
        "8181 00000000 61, 1002",
        "8180 01020304, 1002",
        "8980 00000000, 1002",
        // Reserved bits, without an extension that gives them a meaning.
        "c101 61, 1002",
        "a101 61, 1002",
        "9101 61, 1002",
        "c900, 1002",
        // Reserved opcodes.
        "8300, 1002",
        "8700, 1002",
        "8b00, 1002",
        "8f00, 1002",
        // Control frames that are long, or in fragments.
        "897e 007e, 1002",
        "8a7e ffff, 1002",
        "897f 0000000000010000, 1002",
        "0900, 1002",
        "0800, 1002",
        // Lengths that are not the shortest, negative, or beyond the limits.
        "817e 0001 61, 1002",
        "817f 0000000000000001 61, 1002",
        "827f ffffffffffffffff, 1002",
        "827f 0000000100000000, 1009",
        "827f 7fffffffffffffff, 1009",
        // Fragments without a message, and a message within one.
        "8001 61, 1002",
        "0001 61, 1002",
        "0101 61 8101 62, 1002",
        "0101 61 8201 62, 1002",
        // Text that is not UTF-8.
        "8101 ff, 1007",
        "8102 c0af, 1007",
        "8103 eda080, 1007",
        "0101 e2 8001 ff, 1007",
        // Close frames.
        "8801 03, 1002",
        "8802 03ed, 1002",
        "8802 03ee, 1002",
        "8802 03f7, 1002",
        "8802 0000, 1002",
        "8802 ffff, 1002",
        "8803 03e8 ff, 1007",
    })
    void brokenFrameEndsTheConnection(String frames, int code) {
        assertRefused(HexFormat.of().parseHex(frames.replace(" ", "")), null, code);
    }

    @ParameterizedTest
    @CsvSource({
        "a101 61, 1002", // another bit than the one that was agreed on
        "c900, 1002", // a control frame is not compressed
        "4101 00 c001 00, 1002", // the bit goes with the first frame alone
        "c101 ff, 1007", // not DEFLATE
    })
    void brokenCompressionEndsTheConnection(String frames, int code) {
        assertRefused(
                HexFormat.of().parseHex(frames.replace(" ", "")), DeflateParameters.DEFAULT, code);
    }

    /// 16 MiB of zeros in a message of 16 KiB.
    @Test
    void bombEndsTheConnection() {
        Deflater deflater = new Deflater(-1, true);
        deflater.setInput(new byte[16 << 20]);
        byte[] compressed = new byte[32 << 10];
        int length = deflater.deflate(compressed, 0, compressed.length, Deflater.SYNC_FLUSH) - 4;
        deflater.end();
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(new byte[] {(byte) 0xC2, 126, (byte) (length >> 8), (byte) length});
        frame.write(compressed, 0, length);
        assertRefused(frame.toByteArray(), DeflateParameters.DEFAULT, 1009);
    }
}
