package io.weft.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Field sections of requests, as `name=value` with `|` between, that are messages or malformed.
class MessageRulesTest {
    private static final String GET = ":method=GET|:scheme=http|:path=/|:authority=a.test|";

    private final Side server = Side.server();

    @BeforeEach
    void greet() {
        try (Buffer out = BufferAllocator.pooled().allocate(64)) {
            Preface.write(out);
            FrameEncoder.settings(Settings.EMPTY, out);
            server.h2.receive(out.split(out.readableBytes()));
        }
    }

    @AfterEach
    void close() {
        server.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void receive(String fields) {
        try (Buffer block = BufferAllocator.pooled().allocate(256);
                Buffer out = BufferAllocator.pooled().allocate(256)) {
            for (String field : fields.split("\\|", -1)) {
                if (!field.isEmpty()) {
                    int equals = field.indexOf('=');
                    block.writeByte(0);
                    string(field.substring(0, equals), block);
                    string(field.substring(equals + 1), block);
                }
            }
            FrameEncoder.headers(1, true, block, 1 << 14, out);
            server.h2.receive(out.split(out.readableBytes()));
        }
    }

    /// A literal of HPACK (RFC 7541, 5.2), shorter than 127 bytes.
    private static void string(String text, Buffer out) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.writeByte(bytes.length).writeBytes(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GET,
                GET + "te=trailers",
                GET + "content-length=0",
                GET + "host=a.test",
                GET + "host=A.TEST",
                GET + "x=",
                GET + "x=\u00e4",
                GET + "cookie=a=1|cookie=b=2",
                ":path=/?q=[1]|:scheme=https|:method=GET",
                ":method=GET|:scheme=http|:path=/|host=a.test",
                ":method=OPTIONS|:scheme=http|:path=*|:authority=a.test",
                ":method=CONNECT|:authority=a.test:443",
                ":method=CONNECT|:protocol=websocket|:scheme=http|:path=/|:authority=a.test",
                ":method=BREW|:scheme=http|:path=/|:authority=a.test",
            })
    void requests(String fields) {
        receive(fields);
        assertThat(server.log).singleElement().asString().startsWith("request 1 ").endsWith(" end");
        assertThat(server.failure).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Pseudo-header fields (8.3)
                ":scheme=http|:path=/",
                ":method=GET|:path=/",
                ":method=GET|:scheme=http",
                ":method=GET|:scheme=http|:path=",
                ":method=GET|:method=GET|:scheme=http|:path=/",
                ":method=GET|:scheme=http|:path=/|:path=/",
                ":method=GET|:scheme=http|x=y|:path=/",
                GET + ":status=200",
                GET + ":other=1",
                ":method=GET|:scheme=http|:path=a",
                ":method=GET|:scheme=http|:path=http://a.test/",
                ":method=GET|:scheme=http|:path=*",
                ":method=GET|:scheme=http|:path=/a b",
                ":method=GET|:scheme=http|:path=/#a",
                ":method=G T|:scheme=http|:path=/",
                ":method=GET|:scheme=ht tp|:path=/",
                ":method=GET|:scheme=http|:path=/|:protocol=websocket|:authority=a.test",
                ":method=CONNECT|:scheme=http|:path=/|:authority=a.test:1",
                ":method=CONNECT|:authority=a.test",
                ":method=CONNECT|:protocol=websocket|:authority=a.test:443",
                // One authority (8.3.1)
                GET + "host=b.test",
                GET + "host=a.test|host=a.test",
                ":method=GET|:scheme=http|:path=/|:authority=me@a.test",
                ":method=GET|:scheme=http|:path=/|:authority=",
                ":method=GET|:scheme=http|:path=/|:authority=a.test, b.test",
                // Names and values (8.2.1)
                GET + "X=1",
                GET + "x y=1",
                GET + "x:=1",
                GET + "=1",
                GET + "x=a\rb",
                GET + "x=a\nb: c",
                GET + "x=a\0b",
                GET + "x= a",
                GET + "x=a\t",
                // Fields of a connection (8.2.2)
                GET + "connection=close",
                GET + "keep-alive=1",
                GET + "proxy-connection=close",
                GET + "transfer-encoding=chunked",
                GET + "upgrade=h2c",
                GET + "te=gzip",
                GET + "te=trailers, gzip",
                // Lengths (8.1.1)
                GET + "content-length=1",
                GET + "content-length=0|content-length=0",
                GET + "content-length=+0",
                GET + "content-length=-1",
                GET + "content-length=",
                GET + "content-length=0, 0",
                GET + "content-length=99999999999999999999",
            })
    void malformedRequestsAreErrorsOfTheirStream(String fields) {
        receive(fields);
        assertThat(server.log).isEmpty();
        assertThat(server.failure).isNull();
        try (Buffer sent = server.take()) {
            int reset = sent.writeOffset() - 13;
            assertThat(sent.getByte(reset + 3)).isEqualTo((byte) FrameType.RST_STREAM);
            assertThat(sent.getInt(reset + 9)).isEqualTo(ErrorCode.PROTOCOL_ERROR.code());
        }
        goesOn();
    }

    /// The connection goes on.
    private void goesOn() {
        try (Buffer out = BufferAllocator.pooled().allocate(64)) {
            FrameEncoder.ping(true, 7, out);
            server.h2.receive(out.split(out.readableBytes()));
        }
        assertThat(server.log).containsExactly("pong 7");
    }
}
