package io.weft.codec.socks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class SocksLabTest implements CodecLab {
    @Override
    public List<Subject> subjects() {
        return List.of(server(), client("socks4-client", SocksVersion.V4), client5());
    }

    private static Subject server() {
        Subject subject =
                Subject.named("socks-server")
                        .decoder(
                                () -> {
                                    var server =
                                            new Wire.Server(new SocksServerDecoder(Wire.LIMITS));
                                    return Machine.of(server::decode, server::end, () -> {});
                                },
                                DecoderException.class);
        for (Object[] bad : MalformedTest.OF_CLIENTS) {
            subject.refuses((String) bad[0], (String) bad[1], SocksException.class);
        }
        return subject.sample("\5\1\0\5\1\0\1\1\2\3\4\0\120GET / HTTP/1.1\r\n\r\n")
                .sample("\5\2\2\0\1\4user\6secret\5\2\0\3\13example.org\1\273")
                .sample("\5\1\1\1\1\0\3abc\5\3\0\4" + "\0".repeat(15) + "\1\0\65")
                .sample("\4\1\0\120\1\2\3\4fred\0bytes behind")
                .sample("\4\2\0\120\0\0\0\0\0")
                .sample("\4\1\0\120\0\0\0\1fred\0example.org\0bytes behind")
                .refuses("half a greeting", "\5\2\0", PrematureEndException.class)
                .refuses("half a request", "\4\1\0", PrematureEndException.class)
                .refuses(
                        "bytes behind a request",
                        "\4\1\0\120\1\2\3\4\0" + "x".repeat(1001),
                        LimitExceededException.class)
                .roundTrip(
                        () ->
                                Wire.encode(
                                                new Socks5Greeting(Socks5Method.PASSWORD),
                                                new Socks5PasswordRequest("user", "secret"),
                                                new Socks5Request(
                                                        SocksCommand.CONNECT,
                                                        SocksAddress.of("::1", 443)))
                                        .getBytes(ISO_8859_1),
                        "Socks5Greeting[methods=[username/password]]",
                        "Socks5PasswordRequest[username=user]",
                        "Socks5Request[command=CONNECT, destination=[0:0:0:0:0:0:0:1]:443]")
                .endless(n -> ("\5\1\0\5\1\0\3\377" + "x".repeat(n)).getBytes(ISO_8859_1))
                .endless(n -> ("\4\1\0\1\0\0\0\1" + "x".repeat(n)).getBytes(ISO_8859_1));
    }

    private static Subject client(String name, SocksVersion version) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            var client = new SocksClientDecoder(version, Wire.LIMITS);
                            return Machine.of(client::decode, client::end, client::close);
                        },
                        DecoderException.class)
                .sample("\0\132\0\120\1\2\3\4bytes behind")
                .refuses("half a reply", "\0\132\0", PrematureEndException.class)
                .refuses("another version", "\4\132\0\120\1\2\3\4", SocksException.class);
    }

    private static Subject client5() {
        Subject subject =
                Subject.named("socks5-client")
                        .decoder(
                                () -> {
                                    var client =
                                            new SocksClientDecoder(SocksVersion.V5, Wire.LIMITS);
                                    return Machine.of(client::decode, client::end, client::close);
                                },
                                DecoderException.class);
        for (String[] bad : MalformedTest.OF_SERVERS) {
            subject.refuses(bad[0], bad[1], SocksException.class);
        }
        return subject.sample("\5\0\5\0\0\1\1\2\3\4\0\120bytes behind")
                .sample("\5\2\1\0\5\5\0\3\13example.org\1\273")
                .sample("\5\2\1\1bytes behind")
                .sample("\5\377bytes behind")
                .sample("\5\1\1\2\0\3abc\1\377")
                .sample("\5\0\5\7\0\4" + "\0".repeat(16) + "\0\0")
                .sample("\5\0\5\4\0\0\0\0\0\0\0\0")
                .sample("\5\0\5\4\1\377")
                .sample("\5\0\5\4\0\3\0\0\0")
                .refuses("half a choice", "\5", PrematureEndException.class)
                .refuses("half a reply", "\5\0\5\0\0\1\1\2", PrematureEndException.class);
    }
}
