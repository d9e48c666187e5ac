package io.weft.codec.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedTest {
    private static final String CONNECT = "CONNECT\naccept-version:1.2\nhost:h\n\n\0";
    private static final String SEND = CONNECT + "SEND\ndestination:q\n";
    private static final String CONNECTED = "CONNECTED\nversion:1.2\n\n\0";

    /// Malformed inputs, each behind its fault, with limits as in the lab.
    static final String[][] OF_CLIENTS = {
        {"an unknown command", "GET / HTTP/1.1\n\n\0"},
        {"a command in lower case", "connect\n\n\0"},
        {"SEND first", "SEND\ndestination:q\n\n\0"},
        {"two CONNECTs", CONNECT + CONNECT},
        {"CONNECT and STOMP", CONNECT + "STOMP\n\n\0"},
        {"a server's command", CONNECT + "MESSAGE\n\n\0"},
        {"a header without a colon", CONNECT + "SEND\ndestination\n\n\0"},
        {"a header without a name", CONNECT + "SEND\n:x\n\n\0"},
        {"an escape that is none", SEND + "a:\\t\n\n\0"},
        {"an escape cut off", SEND + "a:\\\n\n\0"},
        {"NUL in a header", SEND + "a:b\0c\n\n\0"},
        {"UTF-8 that is none", SEND + "a:\377\n\n\0"},
        {"a long line", SEND + "a:" + "x".repeat(200) + "\n\n\0"},
        {"a long line without an end", SEND + "a:" + "x".repeat(201)},
        {"many headers", CONNECT + "SEND\n" + "a:b\n".repeat(21)},
        {"many bytes of headers", CONNECT + "SEND\n" + ("a:" + "x".repeat(150) + "\n").repeat(4)},
        {"a negative length", SEND + "content-length:-1\n\n\0"},
        {"a length that is no number", SEND + "content-length:1x\n\n\0"},
        {"an empty length", SEND + "content-length:\n\n\0"},
        {"a length above 64 bits", SEND + "content-length:99999999999999999999\n\n\0"},
        {"a length above the limit", SEND + "content-length:2001\n\n"},
        {"a length too short", SEND + "content-length:1\n\nab\0"},
        {"a long length too short", SEND + "content-length:101\n\n" + "a".repeat(102) + "\0"},
        {"a long body without a length", SEND + "\n" + "a".repeat(2001)},
        {"a body of SUBSCRIBE", CONNECT + "SUBSCRIBE\nid:1\ndestination:q\n\nbody\0"},
        {"a declared body of BEGIN", CONNECT + "BEGIN\ntransaction:t\ncontent-length:1\n\na\0"},
        {"SEND without a destination", CONNECT + "SEND\n\n\0"},
        {"SUBSCRIBE without an id", CONNECT + "SUBSCRIBE\ndestination:q\n\n\0"},
        {"UNSUBSCRIBE without an id", CONNECT + "UNSUBSCRIBE\n\n\0"},
        {"ACK without an id", CONNECT + "ACK\nmessage-id:1\n\n\0"},
        {"BEGIN without a transaction", CONNECT + "BEGIN\n\n\0"},
    };

    static final String[][] OF_SERVERS = {
        {"MESSAGE first", "MESSAGE\n\n\0"},
        {"a client's command", "CONNECT\n\n\0"},
        {"two CONNECTEDs", CONNECTED + CONNECTED},
        {"a version that is none", "CONNECTED\nversion:2.0\n\n\0"},
        {
            "MESSAGE without a subscription",
            CONNECTED + "MESSAGE\ndestination:q\nmessage-id:1\n\n\0"
        },
        {"RECEIPT without an id", CONNECTED + "RECEIPT\n\n\0"},
        {"CR in 1.1", "CONNECTED\nversion:1.1\n\n\0ERROR\r\n\r\n\0"},
        {"an escape of 1.2 in 1.1", "CONNECTED\nversion:1.1\n\n\0ERROR\na:\\r\n\n\0"},
    };

    static Stream<String[]> ofClients() {
        return Stream.of(OF_CLIENTS);
    }

    static Stream<String[]> ofServers() {
        return Stream.of(OF_SERVERS);
    }

    @ParameterizedTest
    @MethodSource("ofClients")
    void serverRefusesAndAnswers(String what, String wire) {
        StompDecoder decoder = StompDecoder.server(new StompLimits(200, 20, 500, 2000, 100));
        decoder.version(StompVersion.V1_2);
        // Latin-1, so that bytes are what they look like.
        StompException e = refused(decoder, wire);
        assertThat(e).as(what).hasMessageContaining("(expected: ");
        StompFrame reply = Objects.requireNonNull(e.reply());
        assertThat(reply.command()).isEqualTo(StompCommand.ERROR);
        assertThat(Frames.encode(new StompEncoder(), () -> reply)).startsWith("ERROR\nmessage:");
    }

    @ParameterizedTest
    @MethodSource("ofServers")
    void clientRefuses(String what, String wire) {
        StompException e = refused(StompDecoder.client(), wire);
        assertThat(e).as(what).hasMessageContaining("(expected: ");
        assertThat(e.reply()).isNull();
    }

    private static StompException refused(StompDecoder decoder, String wire) {
        byte[] bytes = wire.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        return catchThrowableOfType(
                StompException.class,
                () -> {
                    try (var in =
                            io.weft.buffer.BufferAllocator.pooled()
                                    .allocate(bytes.length)
                                    .writeBytes(bytes)) {
                        decoder.decode(in, m -> Frames.describe(m));
                        decoder.end(m -> Frames.describe(m));
                    }
                });
    }
}
