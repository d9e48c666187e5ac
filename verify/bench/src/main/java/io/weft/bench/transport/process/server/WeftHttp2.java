package io.weft.bench.transport.process.server;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.x509.CertificateBuilder;
import java.io.UncheckedIOException;
import javax.net.ssl.SSLException;

/// [Http2Answers] as a user of Weft would write them.
final class WeftHttp2 {
    private static final Headers GRPC = Headers.of("content-type", "application/grpc");
    private static final Headers STATUS = Headers.of("grpc-status", "0");

    private WeftHttp2() {}

    /// Messages of one size, and trailers.
    private static final class Messages implements BodySource {
        private final byte[] message;
        private int left;

        Messages(byte[] message, int count) {
            this.message = message;
            this.left = count;
        }

        @Override
        public Step read(Buffer out) {
            if (out.writableBytes() < message.length) {
                out.writeByte('x');
                return Step.MORE;
            }
            out.writeBytes(message);
            left--;
            return left == 0 ? Step.END : Step.MORE;
        }

        @Override
        public Headers trailers() {
            return STATUS;
        }
    }

    static HttpServer.Builder server() {
        Response small = Response.of(Status.OK, text(), Body.wrap(Http2Answers.text()));
        Response large =
                Response.of(Status.OK, text(), WeftHttp1.shared(Http2Answers.bytes(64 << 10)));
        byte[] message = Http2Answers.bytes(Http2Answers.MESSAGE);
        byte[] streamed = Http2Answers.bytes(Http2Answers.STREAMED_MESSAGE);
        return HttpServer.builder()
                .routes(
                        Routes.builder()
                                .get(Http2Answers.SMALL, _ -> small)
                                .get(Http2Answers.LARGE, _ -> large)
                                .post(Http2Answers.UNARY, _ -> messages(message, 1))
                                .post(
                                        Http2Answers.STREAM,
                                        _ -> messages(streamed, Http2Answers.MESSAGES))
                                .build());
    }

    /// The same with TLS on the JDK's engine, as the other side has it.
    static HttpServer.Builder tlsServer() {
        try {
            return server().tls(
                            TlsContext.server(CertificateBuilder.selfSigned("localhost"))
                                    .engine(TlsEngineKind.JDK)
                                    .applicationProtocols("h2")
                                    .build());
        } catch (SSLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Headers text() {
        return Headers.of("content-type", "text/plain");
    }

    private static Response messages(byte[] message, int count) {
        return Response.of(Status.OK, GRPC, Body.of(new Messages(message, count)));
    }
}
