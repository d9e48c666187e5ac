package io.weft.codec.stomp;

import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

class StompLabTest implements CodecLab {
    private static final StompLimits LIMITS = new StompLimits(200, 20, 500, 2000, 100);
    private static final String CONNECT = "CONNECT\naccept-version:1.2\nhost:h\n\n\0";

    private static Subject subject(String name, Supplier<StompDecoder> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            StompDecoder d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(Frames::describe);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(server(), client());
    }

    private static StompDecoder decoder() {
        StompDecoder decoder = StompDecoder.server(LIMITS);
        decoder.version(StompVersion.V1_2);
        return decoder;
    }

    private static Subject server() {
        Subject subject = subject("stomp-server", StompLabTest::decoder);
        for (String[] bad : MalformedTest.OF_CLIENTS) {
            subject.refuses(bad[0], bad[1], StompException.class);
        }
        String filler = "x".repeat(150);
        return subject.sample(CONNECT + "\n\r\n")
                .sample(CONNECT + "SEND\r\ndestination:/q\\c\\r\\n\\\\\r\nd:1\nd:2\n\nbody\0\n")
                .sample(CONNECT + "SEND\ndestination:q\ncontent-length:5\n\na\0b\nc\0")
                .sample(CONNECT + "SEND\ndestination:q\ncontent-length:150\n\n" + filler + "\0")
                .sample(CONNECT + "SEND\ndestination:q\n\n" + filler + "\0\n\n")
                .sample(
                        CONNECT
                                + "SUBSCRIBE\nid:0\ndestination:q\n\n\0BEGIN\ntransaction:t\n\n\0"
                                + "ACK\nid:1\ntransaction:t\n\n\0COMMIT\ntransaction:t\n\n\0"
                                + "UNSUBSCRIBE\nid:0\n\n\0DISCONNECT\nreceipt:1\n\n\0")
                .refuses("half a frame", CONNECT + "SEND\n", PrematureEndException.class)
                .refuses("half a line", CONNECT + "SEN", PrematureEndException.class)
                .roundTrip(
                        () ->
                                Frames.bytes(
                                        new StompEncoder(),
                                        () -> StompFrame.of(StompCommand.STOMP, "host", "h"),
                                        () -> Frames.send("body", "destination", "a:\\\r\nb"),
                                        () -> StompHeartBeat.INSTANCE),
                        "STOMP{host=h} ",
                        "SEND{destination=a:\\\r\nb,content-length=4} body",
                        "beat")
                .injection(StompLabTest::injected)
                .endless(n -> (CONNECT + "\n".repeat(n)).getBytes(StandardCharsets.US_ASCII))
                .endless(
                        n ->
                                (CONNECT
                                                + "SEND\ndestination:q\n\n"
                                                + "x".repeat(Math.min(n, 1900)))
                                        .getBytes(StandardCharsets.US_ASCII));
    }

    /// A text in header and value; what follows is looked at without the frame's own controls.
    private static byte[] injected(String text) {
        String wire =
                Frames.encode(
                        new StompEncoder(),
                        () -> StompFrame.of(StompCommand.SEND, "destination", text));
        String value = wire.substring("SEND\ndestination:".length(), wire.length() - 3);
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static Subject client() {
        Subject subject = subject("stomp-client", () -> StompDecoder.client(LIMITS));
        for (String[] bad : MalformedTest.OF_SERVERS) {
            subject.refuses(bad[0], bad[1], StompException.class);
        }
        return subject.sample("CONNECTED\nversion:1.1\nheart-beat:0,0\n\n\0\n")
                .sample(
                        "CONNECTED\nversion:1.2\n\n\0MESSAGE\nsubscription:0\nmessage-id:1\n"
                                + "destination:q\n\nbody\0RECEIPT\nreceipt-id:1\n\n\0")
                .sample("CONNECTED\n\n\0MESSAGE\nmessage-id:1\ndestination:q\\c\n\n\0")
                .sample("ERROR\nmessage:no\n\nbecause\0");
    }
}
