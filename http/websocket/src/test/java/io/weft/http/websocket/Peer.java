package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.Output;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.FrameDecoder;
import io.weft.codec.websocket.FrameEncoder;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Pong;
import io.weft.codec.websocket.WebSocketLimits;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One end of a connection in an [EmbeddedChannel], and the test as the other.
final class Peer implements AutoCloseable {
    final EmbeddedChannel channel;
    final WebSocketHandler handler;
    private final FrameEncoder encoder;
    private final FrameDecoder decoder;

    Peer(Role role, WebSocketSettings settings, WebSocketListener listener) {
        this(role, settings, listener, null);
    }

    Peer(
            Role role,
            WebSocketSettings settings,
            WebSocketListener listener,
            @Nullable DeflateParameters deflate) {
        Role other = role == Role.SERVER ? Role.CLIENT : Role.SERVER;
        encoder = new FrameEncoder(other);
        decoder = new FrameDecoder(other, WebSocketLimits.DEFAULT, 4, false);
        handler = new WebSocketHandler(role, settings, new Agreement(null, deflate), listener);
        ChannelInitializer init = ch -> WebSocketUpgrade.open(ch, handler, settings);
        channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true), init);
    }

    static Buffer buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    /// The test sends frames, in one read of the other end.
    Peer send(WebSocketFrame... frames) {
        channel.receive(encoded(frames));
        return this;
    }

    /// The test sends the first bytes of a frame, and keeps the rest.
    Peer sendPart(WebSocketFrame frame, int length) {
        Buffer all = encoded(frame);
        channel.receive(all.writeOffset(length));
        return this;
    }

    private Buffer encoded(WebSocketFrame... frames) {
        Buffer all = BufferAllocator.pooled().allocate(64);
        try (Output out = new Output()) {
            for (WebSocketFrame frame : frames) {
                encoder.encode(frame, out);
            }
            out.drain(
                    part -> {
                        all.writeBytes(part);
                        part.release();
                    });
        }
        return all;
    }

    Peer sendClose(CloseStatus status) {
        return send(new Close(status));
    }

    /// The frames that the other end sent since the last call.
    List<String> received() {
        List<String> all = new ArrayList<>();
        byte[] sent = channel.takeOutbound();
        try (Buffer in = BufferAllocator.pooled().allocate(sent.length).writeBytes(sent)) {
            decoder.decode(in, frame -> all.add(describe(frame)));
        }
        return all;
    }

    private static String describe(WebSocketFrame frame) {
        try (frame) {
            return switch (frame) {
                case Ping(Buffer payload) -> "ping " + text(payload);
                case Pong(Buffer payload) -> "pong " + text(payload);
                case Close(CloseStatus status) -> "close " + status.code();
                case Data data ->
                        (data.reserved() == 0 ? "data " : "compressed ")
                                + text(data.payload())
                                + (data.fin() ? "" : "...");
            };
        }
    }

    private static String text(Buffer payload) {
        return payload.readString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        channel.close();
        decoder.close();
    }
}
