package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOptions;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110, 6.5.1: trailers are for clients that say that they take them, behind chunks.
class ResponseTrailersTest {
    private static final class Summed implements BodySource {
        @Override
        public Step read(Buffer out) {
            out.writeAscii("abc");
            return Step.END;
        }

        @Override
        public Headers trailers() {
            return Headers.builder().add("checksum", "7").build();
        }
    }

    private static String answer(Body body, String field) {
        Application application =
                new Application.Direct(_ -> Response.of(Status.OK, Headers.EMPTY, body));
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT,
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new Http1Connection(
                                                        new ServerLoop(
                                                                application,
                                                                HttpServerLimits.DEFAULT,
                                                                new Sweeper(ch.eventLoop())),
                                                        false)))) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\n" + field + "\r\n");
            String sent = channel.takeOutboundText();
            return sent.substring(sent.indexOf("\r\n\r\n") + 4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TE: trailers\r\n", "TE: deflate;q=0.5, Trailers\r\n"})
    void areSentToClientsThatTakeThem(String field) {
        assertThat(answer(Body.of(new Summed()), field))
                .isEqualTo("3\r\nabc\r\n0\r\nchecksum: 7\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "TE: deflate\r\n"})
    void areNotSentToOthers(String field) {
        assertThat(answer(Body.of(new Summed()), field)).isEqualTo("3\r\nabc\r\n0\r\n\r\n");
    }

    @Test
    void haveNoPlaceBehindABodyOfKnownLength() {
        assertThat(answer(Body.of(new Summed(), 3), "TE: trailers\r\n")).isEqualTo("abc");
    }
}
