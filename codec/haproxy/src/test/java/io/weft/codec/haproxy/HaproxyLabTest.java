package io.weft.codec.haproxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class HaproxyLabTest implements CodecLab {
    private static final ProxyHeader FULL =
            ProxyHeader.v2(
                    Wire.address("2001:db8::1", 1),
                    Wire.address("2001:db8::2", 2),
                    new ProxyTlv.Alpn("h2"),
                    new ProxyTlv.Authority("example.org"),
                    new ProxyTlv.Checksum(),
                    new ProxyTlv.Padding(3),
                    new ProxyTlv.Ssl(
                            1,
                            0,
                            List.of(
                                    new ProxyTlv.SslText(ProxyTlv.SslText.VERSION, "TLSv1.3"),
                                    new ProxyTlv.Raw(0x28, new byte[] {1, 2}))));

    @Override
    public List<Subject> subjects() {
        Subject subject =
                Subject.named("proxy-header")
                        .decoder(
                                () -> {
                                    var decoder = new HaproxyDecoder(Wire.LIMITS);
                                    return Machine.of(
                                            decoder::decode, decoder::end, decoder::close);
                                },
                                DecoderException.class);
        for (String[] bad : MalformedTest.HEADERS) {
            subject.refuses(bad[0], bad[1], HaproxyException.class);
        }
        return List.of(
                subject.sample("PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\r\nGET / HTTP/1.1\r\n")
                        .sample("PROXY TCP6 2001:db8::1 ::ffff:192.0.2.1 1 65535\r\n")
                        .sample("PROXY UNKNOWN\r\nPROXY UNKNOWN\r\n")
                        .sample("PROXY UNKNOWN ffff::1 anything at all\r\nbehind")
                        .sample(Wire.binary(0x20, 0, "") + "behind")
                        .sample(Wire.binary(0x20, 0xFF, "ignored") + "behind")
                        .sample(Wire.binary(0x21, 0, "\4\0\1x") + "behind")
                        .sample(Wire.binary(0x21, 0x12, "\1\2\3\4\5\6\7\10\0\1\0\2") + "behind")
                        .sample(Wire.binary(0x21, 0x32, "/a" + "\0".repeat(214)) + "behind")
                        .sample(Wire.encode(FULL) + "behind")
                        .refuses("half a line", "PROXY TCP4 1.2.3.4", PrematureEndException.class)
                        .refuses("half a signature", "\r\n\r\n", PrematureEndException.class)
                        .refuses(
                                "half a header",
                                Wire.binary(0x21, 0x11, "\0".repeat(12)).substring(0, 20),
                                PrematureEndException.class)
                        .roundTrip(() -> Wire.encode(FULL).getBytes(ISO_8859_1), FULL.toString())
                        .endless(n -> ("PROXY UNKNOWN " + "x".repeat(n)).getBytes(ISO_8859_1)));
    }
}
