package io.weft.http.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.client.HttpClientException.Disconnected;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.FrameEncoder;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The reason that a server gives when it goes away (RFC 9113, 6.8), in the failure of requests
/// which that ends.
class GoneAwayTest {
    private static final String URL = "http://example.com/";

    private final SimulatedWeb web =
            new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2));

    @AfterEach
    void end() {
        web.close();
    }

    /// Serves with a server that answers nothing, and does something else with each request.
    private void serve(BiConsumer<Http2Peer, Http2Peer.Exchange> then) {
        web.handle(
                80,
                () ->
                        new Http2Peer(
                                Http2Limits.DEFAULT,
                                new Http2Peer.Script() {
                                    @Override
                                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                                        then.accept(peer, exchange);
                                    }
                                }));
    }

    private static void goAway(Http2Peer peer, int last, ErrorCode code, String debug) {
        try (Buffer frame = BufferAllocator.pooled().allocate(64)) {
            FrameEncoder.goAway(last, code, debug, frame);
            byte[] bytes = new byte[frame.readableBytes()];
            frame.readBytes(bytes);
            peer.write(bytes);
        }
    }

    private StreamResetException failure() {
        Request post = Request.post(URL, Body.of("order"));
        Disconnected failure = catchThrowableOfType(Disconnected.class, () -> web.send(post));
        assertThat(failure).hasCauseInstanceOf(StreamResetException.class);
        assertThat(failure).hasMessageContaining(String.valueOf(failure.getCause()));
        return (StreamResetException) requireNonNull(failure.getCause());
    }

    @Test
    void requestThatIsCutOffHasTheCodeAndTheTextOfGoaway() {
        serve(
                (peer, _) -> {
                    goAway(peer, 1, ErrorCode.ENHANCE_YOUR_CALM, "too many streams");
                    peer.close();
                });
        StreamResetException why = failure();
        assertThat(why.code()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM.code());
        assertThat(why)
                .hasMessage(
                        "connection: GOAWAY, ENHANCE_YOUR_CALM, \"too many streams\""
                                + " (expected: a response)");
    }

    @Test
    void resetOfTheConnectionBehindGoawayDoesNotHideIt() {
        serve(
                (peer, _) -> {
                    goAway(peer, 1, ErrorCode.INTERNAL_ERROR, "");
                    web.simulation.after(Duration.ofSeconds(1), peer::abort);
                });
        assertThat(failure())
                .hasMessage("connection: GOAWAY, INTERNAL_ERROR (expected: a response)");
    }

    @Test
    void textIsBoundedAndForgesNoLine() {
        serve(
                (peer, _) -> {
                    goAway(
                            peer,
                            1,
                            ErrorCode.PROTOCOL_ERROR,
                            "a\r\n\"b\" \u00e9" + "x".repeat(1000));
                    peer.close();
                });
        assertThat(failure().getMessage())
                .startsWith("connection: GOAWAY, PROTOCOL_ERROR, \"a\\x0d\\x0a\\x22b\\x22 \\xe9xxx")
                .doesNotContain("\n")
                .hasSizeLessThan(250);
    }

    @Test
    void serverThatLeavesInGoodOrderAndDoesNotAnswerIsTold() {
        serve(
                (peer, _) -> {
                    goAway(peer, 1, ErrorCode.NO_ERROR, "");
                    peer.close();
                });
        assertThat(failure()).hasMessage("connection: GOAWAY, NO_ERROR (expected: a response)");
    }
}
