package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Pieces of streamed answers, which go to the channel uncopied. The ledger of buffers counts what
/// becomes of those that are not sent.
class Http2StreamedAnswerTest {
    /// As many bytes as are asked for, until `length` are out.
    private static final class Zeros implements BodySource {
        private final int most;
        private int left;
        boolean closed;

        Zeros(int length, int most) {
            this.left = length;
            this.most = most;
        }

        @Override
        public Step read(Buffer out) {
            int length = Math.min(Math.min(left, most), out.writableBytes());
            out.writeBytes(new byte[length]);
            left -= length;
            return left == 0 ? Step.END : Step.MORE;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Http2Client client(BodySource source) {
        return Http2Client.of(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source)));
    }

    @Test
    void aPieceIsOneRecordWithItsHeader() {
        try (Http2Client client = client(new Zeros(3 * OutgoingFrames.PIECE, 1 << 20))) {
            client.get("/");
            client.run();
            String piece = "1 " + OutgoingFrames.PIECE + " bytes";
            assertThat(client.log).containsExactly("1 200", piece, piece, piece, "1  end");
        }
    }

    /// Bytes, and the end only when it is asked again.
    private static final class EndsLater implements BodySource {
        private final Headers trailers;
        private int left;
        boolean closed;

        EndsLater(int length, Headers trailers) {
            this.left = length;
            this.trailers = trailers;
        }

        @Override
        public Step read(Buffer out) {
            if (left == 0) {
                return Step.END;
            }
            int length = Math.min(left, out.writableBytes());
            out.writeBytes(new byte[length]);
            left -= length;
            return Step.MORE;
        }

        @Override
        public Headers trailers() {
            return trailers;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void sourceOfKnownLengthThatEndsBehindItsLastByteIsAskedAndClosed() {
        for (int length : new int[] {0, 10, OutgoingFrames.PIECE, 65_535, 100_000}) {
            EndsLater source = new EndsLater(length, Headers.EMPTY);
            List<FinishedExchange> finished = new ArrayList<>();
            HttpFilter filter =
                    new HttpFilter() {
                        @Override
                        public void finished(FinishedExchange exchange) {
                            finished.add(exchange);
                        }
                    };
            HttpHandler handler =
                    _ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source, length));
            try (Http2Client client =
                    new Http2Client(
                            new Application.Filtered(
                                    new Application.Direct(handler), List.of(filter)))) {
                client.get("/");
                client.run();
                assertThat(client.received).isEqualTo(length);
                assertThat(client.log).last().asString().endsWith("end");
                assertThat(source.closed).as("closed, %d bytes", length).isTrue();
                assertThat(finished).hasSize(1);
            }
        }
    }

    @Test
    void sourceThatFillsTheWindowEndsWithoutAnotherOne() {
        EndsLater source = new EndsLater(65_535, Headers.EMPTY);
        try (Http2Client client =
                Http2Client.of(
                        _ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source, 65_535)))) {
            client.consumes = false;
            client.get("/");
            client.run();
            assertThat(client.log).last().asString().endsWith("end");
            assertThat(source.closed).isTrue();
        }
    }

    @Test
    void trailersOfABodyOfKnownLengthAreSent() {
        EndsLater source = new EndsLater(10, Headers.of("x-sum", "1"));
        try (Http2Client client =
                Http2Client.of(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source, 10)))) {
            client.get("/");
            client.run();
            assertThat(client.log).last().isEqualTo("1 Headers[x-sum]");
        }
    }

    @Test
    void clientIsAskedForTheBodyThatAnAnswerIsMadeOf() {
        Application echo =
                new Application.Async(
                        request -> {
                            BodySource source = ((Body.Stream) request.body()).source();
                            return CompletableFuture.completedFuture(
                                    Response.of(Status.OK, Headers.EMPTY, Body.of(source)));
                        },
                        true);
        try (Http2Client client = new Http2Client(echo)) {
            Http2Stream stream = client.post("/", Headers.of("expect", "100-continue"));
            client.run();
            assertThat(client.log).containsExactly("1 100", "1 200");
            Http2Client.data(stream, "x", true);
            client.run();
            assertThat(client.log).containsExactly("1 100", "1 200", "1 x", "1  end");
        }
    }

    @Test
    void piecesOfAnySizeArriveInOrder() {
        for (int most : new int[] {1, 40, 1000, 3000, 5000}) {
            try (Http2Client client = client(new Zeros(100_000, most))) {
                client.get("/");
                client.run();
                assertThat(client.received).isEqualTo(100_000);
                assertThat(client.log).last().asString().endsWith("end");
            }
        }
    }

    @Test
    void aResetWhilePiecesWaitEndsTheBodyAndOtherStreamsGoOn() {
        Zeros source = new Zeros(1 << 20, 1 << 20);
        try (Http2Client client =
                Http2Client.of(
                        request ->
                                request.path().equals("/")
                                        ? Response.of(Status.OK, Headers.EMPTY, Body.of(source))
                                        : Response.text("small"))) {
            client.channel.limitWindow(20_000);
            Http2Stream stream = client.get("/");
            client.run();
            assertThat(client.channel.channel().pendingBytes()).isGreaterThan(20_000);
            stream.reset(ErrorCode.CANCEL);
            client.get("/small");
            client.run();
            client.channel.openWindow(1 << 20); // the server reads on
            client.run();
            assertThat(source.closed).isTrue();
            assertThat(client.log).contains("3 200").last().asString().endsWith("small end");
        }
    }

    @Test
    void aConnectionThatBreaksWhilePiecesWaitKeepsNone() {
        Zeros source = new Zeros(1 << 20, 1 << 20);
        try (Http2Client client = client(source)) {
            client.channel.limitWindow(20_000);
            client.get("/");
            client.run();
            assertThat(client.channel.channel().pendingBytes()).isGreaterThan(20_000);
            client.channel.fail(new IOException("broken"));
            client.channel.runPending();
            assertThat(source.closed).isTrue();
            assertThat(client.channel.channel().pendingBytes()).isZero();
        }
    }
}
