package io.weft.codec.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Pong;
import io.weft.codec.websocket.WebSocketFrame.Text;
import io.weft.testkit.Gathered;
import io.weft.testkit.Subject;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.zip.Deflater;

/// Frames by hand, as bytes and as text.
final class Frames {
    static final int KEY = 0x37FA213D;

    private Frames() {}

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    static Buffer buffer(String text) {
        return buffer(text.getBytes(UTF_8));
    }

    /// A frame as a server sends it.
    static byte[] plain(int first, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        header(first, 0, payload.length, out);
        out.writeBytes(payload);
        return out.toByteArray();
    }

    /// A frame as a client sends it.
    static byte[] masked(int first, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        header(first, 0x80, payload.length, out);
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(KEY >> shift);
        }
        for (int i = 0; i < payload.length; i++) {
            out.write(payload[i] ^ KEY >> (24 - 8 * (i % 4)));
        }
        return out.toByteArray();
    }

    /// A message of text, compressed, as a client sends it.
    static byte[] compressed(byte[] payload) {
        Deflater deflater = new Deflater(-1, true);
        deflater.setInput(payload);
        byte[] out = new byte[payload.length + 64];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        deflater.end();
        return masked(0xC1, Arrays.copyOf(out, length - 4));
    }

    static byte[] masked(int first, String payload) {
        return masked(first, payload.getBytes(UTF_8));
    }

    private static void header(int first, int mask, int length, ByteArrayOutputStream out) {
        out.write(first);
        if (length < 126) {
            out.write(mask | length);
        } else if (length < 65_536) {
            out.write(mask | 126);
            out.write(length >> 8);
            out.write(length);
        } else {
            out.write(mask | 127);
            out.writeBytes(new byte[4]);
            for (int shift = 24; shift >= 0; shift -= 8) {
                out.write(length >> shift);
            }
        }
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /// Frames made one by one, so that none is lost when the next cannot be.
    @SafeVarargs
    static byte[] encode(Encoder<WebSocketFrame> encoder, Supplier<WebSocketFrame>... frames) {
        try (Output out = new Output()) {
            for (Supplier<WebSocketFrame> frame : frames) {
                encoder.encode(frame.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static IntSupplier key() {
        return () -> KEY;
    }

    /// Writes a frame down, and releases it.
    static String describe(Object message) {
        try (WebSocketFrame frame = (WebSocketFrame) message) {
            return switch (frame) {
                case Data data -> describe(data);
                case Ping(Buffer payload) -> "ping " + payload.readString(ISO_8859_1);
                case Pong(Buffer payload) -> "pong " + payload.readString(ISO_8859_1);
                case Close(CloseStatus status) -> "close " + status;
            };
        }
    }

    private static String describe(Data data) {
        String type =
                data instanceof Continuation
                        ? "continuation"
                        : data instanceof Text ? "text" : "binary";
        String bits = data.reserved() == 0 ? "" : " bits " + data.reserved();
        return type + bits + (data.fin() ? " " : " begun ") + data.payload().readString(ISO_8859_1);
    }

    /// As above, for decoders that hand out pieces: where they are cut does not show.
    static String describePiece(Object message) {
        if (!(message instanceof Data data)) {
            return describe(message);
        }
        try (data) {
            String type = data instanceof Continuation ? "" : data instanceof Text ? "T" : "B";
            String text = type + data.payload().readString(ISO_8859_1) + (data.fin() ? "." : "");
            return Subject.PIECE + text;
        }
    }
}
