package io.weft.codec.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedTest {
    private static final String GREETING = "\5\1\0";
    private static final String PASSWORD = "\5\1\2";
    private static final String GSSAPI = "\5\1\1";

    /// Faults, each with its input and the code of the answer; -1 where there is none.
    static final Object[][] OF_CLIENTS = {
        {"version 0", "\0", -1},
        {"version 6", "\6\1\0", -1},
        {"HTTP", "CONNECT a:1 HTTP/1.1\r\n\r\n", -1},
        {"no methods", "\5\0", 0xFF},
        {"a request of another version", GREETING + "\4\1\0\1\1\2\3\4\0\120", 1},
        {"a reserved byte", GREETING + "\5\1\1\1\1\2\3\4\0\120", 1},
        {"address type 0", GREETING + "\5\1\0\0", 8},
        {"address type 2", GREETING + "\5\1\0\2\1\2\3\4\0\120", 8},
        {"address type 255", GREETING + "\5\1\0\377\1\2\3\4\0\120", 8},
        {"an empty name", GREETING + "\5\1\0\3\0\0\120", 1},
        {"NUL in a name", GREETING + "\5\1\0\3\3a\0b\0\120", 1},
        {"a space in a name", GREETING + "\5\1\0\3\3a b\0\120", 1},
        {"a line's end in a name", GREETING + "\5\1\0\3\4a\r\nb\0\120", 1},
        {"a name that is not ASCII", GREETING + "\5\1\0\3\2\303\251\0\120", 1},
        {"a password's version", PASSWORD + "\5\1a\1b", 1},
        {"a user without a name", PASSWORD + "\1\0\1b", 1},
        {"a user that is not UTF-8", PASSWORD + "\1\1\377\1b", 1},
        {"a password that is not UTF-8", PASSWORD + "\1\1a\1\377", 1},
        {"a GSS-API message's version", GSSAPI + "\5\1\0\1x", 0xFF},
        {"a GSS-API message's type 0", GSSAPI + "\1\0\0\1x", 0xFF},
        {"a GSS-API message's type 4", GSSAPI + "\1\4\0\1x", 0xFF},
        {"a long GSS-API token", GSSAPI + "\1\1\1\1" + "x".repeat(257), 0xFF},
        {"a long user of SOCKS 4", "\4\1\0\120\1\2\3\4" + "u".repeat(31) + "\0", 91},
        {"a user of SOCKS 4 without an end", "\4\1\0\120\1\2\3\4" + "u".repeat(31), 91},
        {"a control in a user of SOCKS 4", "\4\1\0\120\1\2\3\4u\n\0", 91},
        {"a user of SOCKS 4 that is not UTF-8", "\4\1\0\120\1\2\3\4\377\0", 91},
        {"an empty name of 4a", "\4\1\0\120\0\0\0\1\0\0", 91},
        {"a long name of 4a", "\4\1\0\120\0\0\0\1\0" + "n".repeat(41) + "\0", 91},
        {"a name of 4a without an end", "\4\1\0\120\0\0\0\1\0" + "n".repeat(41), 91},
        {"a control in a name of 4a", "\4\1\0\120\0\0\0\1\0a\nb\0", 91},
    };

    static final String[][] OF_SERVERS = {
        {"version 4 of a choice", "\4\0"},
        {"version 1 of a choice", "\1\0"},
        {"a password's version", "\5\2\5\0"},
        {"version 4 of a reply", "\5\0\4\0\0\1\1\2\3\4\0\120"},
        {"a reserved byte", "\5\0\5\0\1\1\1\2\3\4\0\120"},
        {"address type 5", "\5\0\5\0\0\5\1\2\3\4\0\120"},
        {"an empty name", "\5\0\5\0\0\3\0\0\120"},
        {"NUL in a name", "\5\0\5\0\0\3\1\0\0\120"},
        {"a GSS-API message's type", "\5\1\1\7\0\0"},
    };

    static Stream<Object[]> ofClients() {
        return Stream.of(OF_CLIENTS);
    }

    static Stream<String[]> ofServers() {
        return Stream.of(OF_SERVERS);
    }

    @ParameterizedTest
    @MethodSource("ofClients")
    void serverRefusesAndAnswers(String what, String wire, int code) {
        SocksException e =
                refused(
                        in ->
                                new Wire.Server(new SocksServerDecoder(Wire.LIMITS))
                                        .decode(in, _ -> {}),
                        wire);
        assertThat(e).as(what).hasMessageContaining("(expected: ");
        if (code < 0) {
            assertThat(e.reply()).isNull();
        } else {
            String reply = Wire.encode(Objects.requireNonNull(e.reply()));
            assertThat((int) reply.charAt(1)).as(what).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @MethodSource("ofServers")
    void clientRefuses(String what, String wire) {
        SocksException e =
                refused(in -> new SocksClientDecoder(SocksVersion.V5).decode(in, _ -> {}), wire);
        assertThat(e).as(what).hasMessageContaining("(expected: ");
        assertThat(e.reply()).isNull();
    }

    @ParameterizedTest
    @MethodSource("ofDatagrams")
    void malformedDatagramIsRefusedAndReleased(String what, String wire) {
        SocksException e =
                catchThrowableOfType(
                        SocksException.class,
                        () -> {
                            var _ = Socks5Datagram.decode(Wire.buffer(wire));
                        });
        assertThat(e).as(what).hasMessageContaining("(expected: ");
    }

    static Stream<String[]> ofDatagrams() {
        return Stream.of(
                new String[][] {
                    {"empty", ""},
                    {"half a header", "\0\0\0"},
                    {"reserved bytes", "\0\1\0\1\1\2\3\4\0\120"},
                    {"address type 2", "\0\0\0\2\1\2\3\4\0\120"},
                    {"half an address", "\0\0\0\1\1\2\3\4\0"},
                    {"half of IPv6", "\0\0\0\4\1\2\3\4\0\120"},
                    {"a name without a length", "\0\0\0\3"},
                    {"half a name", "\0\0\0\3\5abc"},
                    {"an empty name", "\0\0\0\3\0\0\120"},
                    {"a control in a name", "\0\0\0\3\1\n\0\120"},
                });
    }

    private static SocksException refused(java.util.function.Consumer<Buffer> decode, String wire) {
        byte[] bytes = wire.getBytes(StandardCharsets.ISO_8859_1);
        return catchThrowableOfType(
                SocksException.class,
                () -> {
                    try (Buffer in =
                            BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
                        decode.accept(in);
                    }
                });
    }
}
