package io.weft.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Servers that attack the client: each loses its connection, fails the request, and leaves the
/// client as it was.
class HostileServerTest {
    /// Bytes after which an attack has succeeded.
    private static final long MOST = 8 << 20;

    /// Answers the first bytes of each connection with `first`, and goes on with `again`.
    private static final class Attacker implements ChannelHandler {
        private final Attack attack;
        private boolean begun;
        private long sent;
        boolean over;

        Attacker(Attack attack) {
            this.attack = attack;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
            if (!begun) {
                begun = true;
                write(ctx, attack.first);
                flood(ctx);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            flood(ctx);
        }

        private void flood(ChannelHandlerContext ctx) {
            byte[] again = attack.again;
            while (again.length > 0
                    && ctx.channel().isActive()
                    && ctx.channel().isWritable()
                    && sent < MOST) {
                write(ctx, again);
            }
        }

        private void write(ChannelHandlerContext ctx, byte[] bytes) {
            sent += bytes.length;
            ctx.writeAndFlush(ctx.channel().allocator().allocate(bytes.length).writeBytes(bytes));
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            over = true;
            ctx.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    static final class Attack {
        private final String name;
        private final byte[] first;
        private final byte[] again;

        Attack(String name, byte[] first, byte[] again) {
            this.name = name;
            this.first = first;
            this.again = again;
        }

        static Attack http1(String name, String first, String again) {
            return new Attack(
                    name, first.getBytes(ISO_8859_1), again.repeat(100).getBytes(ISO_8859_1));
        }

        /// Of frames in hexadecimal digits, the first ones behind SETTINGS.
        static Attack http2(String name, String first, String again) {
            String settings = frame(4, 0, 0, "");
            return new Attack(name, hex(settings + first), hex(again.repeat(100)));
        }

        private static byte[] hex(String digits) {
            return HexFormat.of().parseHex(digits);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// In hexadecimal digits.
    private static String frame(int type, int flags, int stream, String payload) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(payload.length() / 2, 6)
                + hex.toHexDigits((byte) type)
                + hex.toHexDigits((byte) flags)
                + hex.toHexDigits(stream)
                + payload;
    }

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

    static final List<Attack> HTTP_1 =
            List.of(
                    Attack.http1("interim responses", "", "HTTP/1.1 103 Early\r\nlink: a\r\n\r\n"),
                    Attack.http1("100 for ever", "", "HTTP/1.1 100 Continue\r\n\r\n"),
                    Attack.http1("endless status line", "HTTP/1.1 200 ", "OK"),
                    Attack.http1("endless field", "HTTP/1.1 200 OK\r\na: ", "b"),
                    Attack.http1("endless fields", "HTTP/1.1 200 OK\r\n", "a: b\r\n"),
                    Attack.http1("empty lines", "", "\r\n"),
                    Attack.http1("endless chunk extension", CHUNKED + "1;a", "b"),
                    Attack.http1("chunk extensions", CHUNKED, "1;" + "a".repeat(200) + "\r\nx\r\n"),
                    Attack.http1("endless trailers", CHUNKED + "0\r\n", "a: b\r\n"),
                    Attack.http1("endless chunk size", CHUNKED, "0"),
                    Attack.http1("huge chunk", CHUNKED + "FFFFFFFFFFFFFFFFF\r\n", "x"),
                    Attack.http1("two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n", "a"),
                    Attack.http1("body for ever", "HTTP/1.1 200 OK\r\n\r\n", "x".repeat(1000)),
                    Attack.http1("chunks for ever", CHUNKED, "100\r\n" + "x".repeat(256) + "\r\n"),
                    Attack.http1("unasked upgrade", "HTTP/1.1 101 Yes\r\nupgrade: x\r\n\r\n", "x"),
                    Attack.http1("not HTTP", "SSH-2.0-x\r\n", "x"));

    /// `:status: 200`, and as HEADERS of the first stream, with the flags that are added.
    private static final String OK = "88";

    private static String headers(int flags, String block) {
        return frame(1, flags, 1, block);
    }

    static final List<Attack> HTTP_2 =
            List.of(
                    Attack.http2("SETTINGS", "", frame(4, 0, 0, "")),
                    Attack.http2("acknowledged SETTINGS", "", frame(4, 1, 0, "")),
                    Attack.http2("settings games", "", frame(4, 0, 0, "000400000000")),
                    Attack.http2("PING", "", frame(6, 0, 0, "0123456789abcdef")),
                    Attack.http2("acknowledged PING", "", frame(6, 1, 0, "0123456789abcdef")),
                    Attack.http2("GOAWAY", "", frame(7, 0, 0, "0000000100000000")),
                    Attack.http2("PRIORITY", "", frame(2, 0, 1, "0000000000")),
                    Attack.http2("unknown frames", "", frame(0xA, 0, 0, "00")),
                    Attack.http2("frames of no type", "", frame(0xFE, 0xFF, 1, "")),
                    Attack.http2("RST_STREAM", "", frame(3, 0, 1, "00000008")),
                    Attack.http2("RST_STREAM of no stream", frame(3, 0, 7, "00000008"), ""),
                    Attack.http2("small windows", "", frame(8, 0, 1, "00000001")),
                    Attack.http2("small windows of all", "", frame(8, 0, 0, "00000001")),
                    Attack.http2("window of nothing", frame(8, 0, 0, "00000000"), ""),
                    Attack.http2("window overflow", frame(8, 0, 0, "7fffffff"), ""),
                    Attack.http2("empty DATA", headers(4, OK), frame(0, 0, 1, "")),
                    Attack.http2("padding alone", headers(4, OK), frame(0, 8, 1, "0100")),
                    Attack.http2("DATA of no stream", frame(0, 0, 3, "00"), ""),
                    Attack.http2("DATA before HEADERS", frame(0, 0, 1, "00"), ""),
                    Attack.http2("DATA past the window", headers(4, OK) + large().repeat(9), ""),
                    Attack.http2("large frame", frame(0, 0, 1, "00".repeat((16 << 10) + 1)), ""),
                    Attack.http2("HEADERS cut by PING", headers(0, OK) + frame(6, 0, 0, ""), ""),
                    Attack.http2("CONTINUATION", headers(0, OK), frame(9, 0, 1, "")),
                    Attack.http2("filled CONTINUATION", headers(0, OK), frame(9, 0, 1, field())),
                    Attack.http2("CONTINUATION of nothing", frame(9, 4, 1, ""), ""),
                    Attack.http2("PUSH_PROMISE", frame(5, 4, 1, "00000002" + "8286"), ""),
                    Attack.http2("push allowed", frame(4, 0, 0, "000200000001"), ""),
                    Attack.http2("window above 2^31", frame(4, 0, 0, "0004ffffffff"), ""),
                    Attack.http2("small frame size", frame(4, 0, 0, "000500000001"), ""),
                    Attack.http2("interim responses", "", headers(4, "0803313033")),
                    Attack.http2("interim response that ends", headers(5, "0803313033"), ""),
                    Attack.http2("table update", headers(4, "3fffffffff07"), ""),
                    Attack.http2("index of nothing", headers(4, "ff00"), ""),
                    Attack.http2("request as response", headers(5, "828684"), ""),
                    Attack.http2("bomb", headers(4, OK + bomb()), ""),
                    Attack.http2("streams of the server", frame(1, 5, 2, OK), ""),
                    Attack.http2("status twice", headers(5, OK + OK), ""),
                    Attack.http2("field for connections", headers(5, OK + connection()), ""));

    private static String large() {
        return frame(0, 0, 1, "00".repeat(16 << 10));
    }

    /// A literal field `a: b` that is indexed.
    private static String field() {
        return "4001610162";
    }

    /// A field of 3,000 bytes, and 2,000 references to it.
    private static String bomb() {
        return "400161" + "7fb916" + "62".repeat(3000 - 7) + "be".repeat(2000);
    }

    /// `connection: x`.
    private static String connection() {
        return "000a" + HexFormat.of().formatHex("connection".getBytes(ISO_8859_1)) + "0178";
    }

    private static void assertBeaten(Attack attack, HttpProtocol protocol) throws Exception {
        List<Attacker> attackers = new ArrayList<>();
        HttpClientLimits limits =
                HttpClientLimits.DEFAULT
                        .withBody(256 << 10)
                        .withTotalTimeout(Duration.ofMinutes(5));
        try (SimulatedWeb web = new SimulatedWeb(limits, b -> b.protocol(protocol))) {
            web.handle(
                    80,
                    () -> {
                        Attacker attacker = new Attacker(attack);
                        attackers.add(attacker);
                        return attacker;
                    });
            web.serve(81, _ -> Response.text("hello"));
            CompletableFuture<Response> attacked =
                    web.client().sendAsync(Request.post("http://s/", Body.of("x")));
            assertThatThrownBy(() -> web.await(attacked)).isInstanceOf(Exception.class);
            assertThat(attackers).isNotEmpty();
            web.run(Duration.ofMinutes(10));
            for (Attacker attacker : attackers) {
                assertThat(attacker.over).isTrue();
                assertThat(attacker.sent).isLessThan(MOST);
            }
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
            assertThat(web.get("http://s:81/").body().asString()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @FieldSource("HTTP_1")
    void serverOfHttp1IsCutOff(Attack attack) throws Exception {
        assertBeaten(attack, HttpProtocol.HTTP_1_1);
    }

    @ParameterizedTest
    @FieldSource("HTTP_2")
    void serverOfHttp2IsCutOff(Attack attack) throws Exception {
        assertBeaten(attack, HttpProtocol.HTTP_2);
    }
}
