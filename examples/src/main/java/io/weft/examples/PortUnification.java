package io.weft.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.codec.Detection;
import io.weft.engine.ChannelOption;
import io.weft.handler.codec.DetectionHandler;
import io.weft.handler.tls.OptionalTlsHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import java.util.List;

/// Several protocols on one port: the first bytes of a connection tell TLS from plaintext, and the
/// first bytes within tell HTTP from factorials; what is neither is echoed. Handlers are put into
/// the pipeline when it is known which.
///
/// Try it: `curl http://127.0.0.1:8323/`, `curl -k https://127.0.0.1:8323/`, `nc 127.0.0.1 8323`
public final class PortUnification {
    /// Protocols that are spoken here.
    private enum Protocol {
        HTTP,
        FACTORIAL,
        ECHO
    }

    /// First bytes of requests of HTTP.
    private static final List<byte[]> METHODS =
            List.of(
                    "GET ".getBytes(US_ASCII),
                    "HEAD ".getBytes(US_ASCII),
                    "POST ".getBytes(US_ASCII),
                    "PUT ".getBytes(US_ASCII),
                    "DELETE ".getBytes(US_ASCII),
                    "OPTIONS ".getBytes(US_ASCII));

    private PortUnification() {}

    public static void main(String[] args) {
        Example.main(8323, args, PortUnification::start);
    }

    static Example.Running start(Options options) {
        TlsContext tls = Example.tls(options);
        Protocols plain = new Protocols("in the clear");
        Protocols secure = new Protocols("over TLS");
        return Example.tcp(
                options.withoutTls(),
                channel ->
                        channel.pipeline()
                                .addLast(
                                        new OptionalTlsHandler(
                                                () -> {
                                                    channel.pipeline().addLast(secure.handler());
                                                    return TlsHandler.server(tls);
                                                },
                                                ctx -> ctx.pipeline().addLast(plain.handler()))));
    }

    /// Detects the protocol by the first bytes. It looks at them, and leaves them for the protocol.
    private static Detection<Protocol> detect(Buffer bytes) {
        int at = bytes.readOffset();
        if (bytes.isReadable() && bytes.getByte(at) == 'F') {
            return Detection.found(Protocol.FACTORIAL);
        }
        boolean mayBe = false;
        for (byte[] method : METHODS) {
            int length = Math.min(method.length, bytes.readableBytes());
            if (bytes.contentEquals(at, method, 0, length)) {
                if (length == method.length) {
                    return Detection.found(Protocol.HTTP);
                }
                mayBe = true;
            }
        }
        return mayBe ? Detection.needsMore() : Detection.found(Protocol.ECHO);
    }

    /// Handlers of every protocol.
    private static final class Protocols {
        private final ChannelInitializer http;

        Protocols(String how) {
            Response answer = Response.text("Hello, " + how);
            http = HttpServer.builder().handler(request -> answer).initializer();
        }

        DetectionHandler<Protocol> handler() {
            return new DetectionHandler<>(PortUnification::detect, this::add);
        }

        private void add(ChannelHandlerContext ctx, Protocol protocol) {
            switch (protocol) {
                case HTTP -> addHttp(ctx);
                case FACTORIAL -> Factorial.addTo(ctx.pipeline());
                case ECHO -> ctx.pipeline().addLast(new Echo.EchoHandler());
            }
        }

        private void addHttp(ChannelHandlerContext ctx) {
            try {
                // A client that has asked and shuts its output down still gets its answer.
                ctx.channel().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
                http.initChannel(ctx.channel());
            } catch (Exception e) {
                throw new IllegalStateException("no HTTP", e);
            }
        }
    }
}
