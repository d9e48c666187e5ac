package io.weft.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.http.http2.FrameDecoder;
import io.weft.http.http2.FrameEncoder;
import io.weft.http.http2.Http2Frame;
import io.weft.http.http2.Settings;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2cUpgradeTest {
    private static final String ASKED =
            String.join(
                    "\r\n",
                    "GET /a?b HTTP/1.1",
                    "Host: weft.test",
                    "Connection: Upgrade, HTTP2-Settings",
                    "Upgrade: h2c",
                    "HTTP2-Settings: AAMAAABkAAQAAAAC",
                    "",
                    "");
    private static final String CHANGES = "HTTP/1.1 101 Switching Protocols\r\n";

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static EmbeddedChannel server(boolean upgrades) {
        Application echo =
                new Application.Direct(
                        r -> Response.text(r.target() + " " + r.version() + " " + r.headers()));
        return server(echo, upgrades);
    }

    private static EmbeddedChannel server(Application application, boolean upgrades) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                ch ->
                        ch.pipeline()
                                .addLast(
                                        new Http1Connection(
                                                new ServerLoop(
                                                        application,
                                                        HttpServerLimits.DEFAULT,
                                                        new Sweeper(ch.eventLoop()),
                                                        upgrades),
                                                true)));
    }

    private static byte[] behindHead(EmbeddedChannel channel) {
        String sent = new String(channel.takeOutbound(), ISO_8859_1);
        assertThat(sent).startsWith(CHANGES);
        return sent.substring(sent.indexOf("\r\n\r\n") + 4).getBytes(ISO_8859_1);
    }

    private static List<String> frames(FrameDecoder decoder, byte[] bytes) {
        List<String> frames = new ArrayList<>();
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length + 1).writeBytes(bytes)) {
            decoder.decode(
                    in,
                    frame -> {
                        switch (frame) {
                            case Http2Frame.Data data -> {
                                try (Buffer content = data.data()) {
                                    frames.add(
                                            "DATA "
                                                    + data.stream()
                                                    + " "
                                                    + content.readString(ISO_8859_1)
                                                    + (data.endStream() ? " end" : ""));
                                }
                            }
                            case Http2Frame.Headers headers -> {
                                headers.fragment().release();
                                frames.add("HEADERS " + headers.stream());
                            }
                            case Http2Frame.SettingsFrame _ -> frames.add("SETTINGS");
                            case Http2Frame.SettingsAck _ -> frames.add("ACK");
                            default -> {}
                        }
                    });
        }
        return frames;
    }

    /// A filter's answer, made for each request.
    private static final class Denied implements BodySource {
        static int open;

        Denied() {
            open++;
        }

        @Override
        public Step read(Buffer out) {
            return Step.END;
        }

        @Override
        public void close() {
            open--;
        }
    }

    @Test
    void answerOfAFilterThatTheUpgradeReplacesIsClosed() {
        HttpFilter denying =
                new HttpFilter() {
                    @Override
                    public Response before(Request request) {
                        return Response.of(Status.FORBIDDEN, Headers.EMPTY, Body.of(new Denied()));
                    }
                };
        Application.Direct unasked =
                new Application.Direct(
                        _ -> {
                            throw new AssertionError("asked");
                        });
        try (EmbeddedChannel channel =
                server(new Application.Filtered(unasked, List.of(denying)), true)) {
            channel.receive(ASKED);
            channel.receive(preface());
            channel.runPending();
            assertThat(channel.takeOutboundText()).startsWith(CHANGES);
        }
        assertThat(Denied.open).isZero();
    }

    private static Buffer preface() {
        Buffer out = BufferAllocator.pooled().allocate(64);
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
        FrameEncoder.settings(Settings.EMPTY, out);
        return out;
    }

    /// The window of the field's settings has 2 bytes.
    @Test
    void requestBecomesStreamOneUnderTheSettingsOfItsField() {
        try (EmbeddedChannel channel = server(true)) {
            FrameDecoder decoder = new FrameDecoder(1 << 14);
            channel.receive(ASKED);
            channel.runPending();
            assertThat(frames(decoder, behindHead(channel)))
                    .containsExactly("SETTINGS", "HEADERS 1", "DATA 1 /a");
            Buffer more = preface();
            FrameEncoder.windowUpdate(1, 100, more);
            channel.receive(more);
            channel.runPending();
            assertThat(frames(decoder, channel.takeOutbound()))
                    .contains("ACK", "DATA 1 ?b HTTP/2 Headers[host] end");
        }
    }

    @Test
    void prefaceMayComeWithTheRequest() {
        try (EmbeddedChannel channel = server(true)) {
            Buffer all = BufferAllocator.pooled().allocate(512);
            all.writeBytes(ASKED.replace("AAMAAABkAAQAAAAC", "").getBytes(ISO_8859_1));
            try (Buffer preface = preface()) {
                all.writeBytes(preface);
            }
            channel.receive(all);
            channel.runPending();
            assertThat(frames(new FrameDecoder(1 << 14), behindHead(channel)))
                    .contains("SETTINGS", "ACK", "DATA 1 /a?b HTTP/2 Headers[host] end");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP2-Settings: AAMAAABkAAQAAAAC\r\nHTTP2-Settings: \r\n", // two of them
                "HTTP2-Settings: AAMAAABk=A\r\n", // not in base64url
                "HTTP2-Settings: AAMAAAA\r\n", // half a setting
                "HTTP2-Settings: AAIAAAAC\r\n", // ENABLE_PUSH of 2
                "X-Other: 1\r\n"
            })
    void malformedSettingsAreAnsweredInTheOldProtocol(String field) {
        try (EmbeddedChannel channel = server(true)) {
            channel.receive(ASKED.replace("HTTP2-Settings: AAMAAABkAAQAAAAC\r\n", field));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200 OK\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Upgrade\r\n",
                "Connection: HTTP2-Settings\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nContent-Length: 0\r\n"
            })
    void requestsThatDoNotAskForItRightAreAnsweredInTheOldProtocol(String fields) {
        try (EmbeddedChannel channel = server(true)) {
            channel.receive(
                    ASKED.replace("Connection: Upgrade, HTTP2-Settings\r\n", fields)
                            .replace("Content-Length: 0", "Content-Length: 1")
                            .replace("\r\n\r\n", "\r\n\r\nx"));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200 OK\r\n");
        }
    }

    @Test
    void serversDoNotUpgradeByThemselves() {
        try (EmbeddedChannel channel = server(false)) {
            channel.receive(ASKED);
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200 OK\r\n");
        }
    }
}
