package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.time.Duration;
import java.util.List;

class EventLabTest implements CodecLab {
    private static final EventLimits LIMITS = new EventLimits(60, 100);

    private static Subject subject(String name, EventLimits limits) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            var d = new ServerSentEventDecoder(limits);
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(events(), large());
    }

    private static Subject events() {
        Subject subject = subject("events", LIMITS);
        for (ServerSentEventDecoderTest.Golden golden : ServerSentEventDecoderTest.GOLDEN) {
            subject.sample(golden.wire());
        }
        return subject.refuses("line", ":" + "x".repeat(60), LimitExceededException.class)
                .refuses(
                        "line of an event",
                        "data\n\ndata:" + "x".repeat(60) + "\n",
                        LimitExceededException.class)
                .refuses("event", "data:12345678\n".repeat(12), LimitExceededException.class)
                .refuses("empty lines of data", "data\r".repeat(101), LimitExceededException.class)
                .roundTrip(
                        () -> ServerSentEvent.of("a\r\nb\rc\n").toBytes(),
                        ServerSentEvent.of("a\nb\nc\n").toString())
                .roundTrip(
                        () ->
                                ServerSentEvent.of("type: x", " ä\uD83D\uDE00")
                                        .withId(" 1")
                                        .withRetry(Duration.ofSeconds(3))
                                        .toBytes(),
                        ServerSentEvent.of("type: x", " ä\uD83D\uDE00")
                                .withId(" 1")
                                .withRetry(Duration.ofSeconds(3))
                                .toString())
                .injection(text -> ServerSentEvent.of("x").withId(text).toBytes());
    }

    /// Without limits in the way.
    private static Subject large() {
        return subject("events-large", EventLimits.DEFAULT)
                .sample("data: x\n\n")
                .endless(n -> ("data: " + "x".repeat(n)).getBytes(UTF_8))
                .endless(n -> ":".repeat(n).getBytes(UTF_8))
                .endless(n -> "\r\n".repeat(n / 2).getBytes(UTF_8))
                .endless(n -> "data\n".repeat(n / 5).getBytes(UTF_8))
                .endless(n -> "data\n\n".repeat(n / 6).getBytes(UTF_8))
                .endless(n -> ("data:" + "\u0430".repeat(n / 2) + "\n\n").getBytes(UTF_8));
    }
}
