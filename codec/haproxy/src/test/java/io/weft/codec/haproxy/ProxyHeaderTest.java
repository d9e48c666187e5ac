package io.weft.codec.haproxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.codec.Detection;
import io.weft.codec.Output;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProxyHeaderTest {
    private static final ProxyAddress A = Wire.address("192.0.2.1", 56_324);
    private static final ProxyAddress B = Wire.address("198.51.100.2", 443);
    private static final ProxyAddress A6 = Wire.address("2001:db8::1", 56_324);
    private static final ProxyAddress B6 = Wire.address("2001:db8::2", 443);

    private static void roundTrips(ProxyHeader header) {
        assertThat(Wire.decode(Wire.encode(header))).isEqualTo(header);
    }

    @Test
    void linesAreThoseOfTheSpecification() {
        assertThat(Wire.encode(ProxyHeader.v1(A, B)))
                .isEqualTo("PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\r\n");
        assertThat(Wire.encode(ProxyHeader.v1(A6, B)))
                .isEqualTo("PROXY TCP6 2001:db8::1 ::ffff:198.51.100.2 56324 443\r\n");
        assertThat(Wire.encode(ProxyHeader.unknown())).isEqualTo("PROXY UNKNOWN\r\n");
        roundTrips(ProxyHeader.v1(A, B));
        roundTrips(ProxyHeader.v1(A6, B));
        roundTrips(ProxyHeader.unknown());
    }

    /// RFC 5952, 4.
    @Test
    void addressesOfIpv6AreCanonical() {
        for (String ip :
                List.of(
                        "::",
                        "::1",
                        "1::",
                        "2001:db8:0:1:1:1:1:1",
                        "1::1:0:0:1",
                        "1:0:0:1::1",
                        "ab::c:0")) {
            String wire = Wire.encode(ProxyHeader.v1(Wire.address(ip, 1), Wire.address(ip, 2)));
            assertThat(wire).isEqualTo("PROXY TCP6 " + ip + " " + ip + " 1 2\r\n");
            assertThat(Wire.decode(wire).source()).isEqualTo(Wire.address(ip, 1));
        }
    }

    @Test
    void longestLinesAreTaken() {
        String ip = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        String line = "PROXY UNKNOWN " + ip + " " + ip + " 65535 65535\r\n";
        assertThat(line).hasSize(TextHeader.MAX_LENGTH);
        assertThat(Wire.decode(line)).isEqualTo(ProxyHeader.unknown());
        assertThat(Wire.decode(line.replace("UNKNOWN", "TCP6")).source())
                .isEqualTo(Wire.address(ip, 65_535));
    }

    @Test
    void headersOfEachTransportRoundTrip() {
        roundTrips(ProxyHeader.v2(A, B));
        roundTrips(ProxyHeader.v2(A6, B6));
        roundTrips(ProxyHeader.v2(A, B6));
        roundTrips(ProxyHeader.v2(Transport.UDP4, A, B));
        roundTrips(ProxyHeader.v2(Transport.UDP6, A6, B6));
        ProxyAddress unix = new ProxyAddress.Unix("/run/é.sock");
        ProxyAddress longest = new ProxyAddress.Unix("x".repeat(108));
        roundTrips(ProxyHeader.v2(unix, longest));
        roundTrips(
                ProxyHeader.v2(
                        Transport.UNIX_DATAGRAM,
                        new ProxyAddress.Unix("\0abstract"),
                        new ProxyAddress.Unix("")));
        roundTrips(ProxyHeader.local());
    }

    @Test
    void allFieldsRoundTrip() {
        roundTrips(
                ProxyHeader.v2(
                        A,
                        B,
                        new ProxyTlv.Alpn("http/1.1"),
                        new ProxyTlv.Authority("bücher.example"),
                        new ProxyTlv.Padding(5),
                        new ProxyTlv.UniqueId(new byte[] {1, 2, (byte) 0xFF}),
                        new ProxyTlv.NetworkNamespace("blue"),
                        new ProxyTlv.Raw(0xE4, new byte[] {7}),
                        new ProxyTlv.Ssl(
                                ProxyTlv.Ssl.CLIENT_SSL | ProxyTlv.Ssl.CLIENT_CERT_SESS,
                                -2,
                                List.of(
                                        new ProxyTlv.SslText(0x21, "TLSv1.3"),
                                        new ProxyTlv.SslText(0x22, "client"),
                                        new ProxyTlv.SslText(0x23, "TLS_AES_128_GCM_SHA256"),
                                        new ProxyTlv.SslText(0x24, "SHA256"),
                                        new ProxyTlv.SslText(0x25, "RSA2048"),
                                        new ProxyTlv.SslText(0x26, "x25519"),
                                        new ProxyTlv.SslText(0x27, "rsa_pss_rsae_sha256"),
                                        // SSL in SSL is not looked into.
                                        new ProxyTlv.Raw(0x20, new byte[] {0}))),
                        new ProxyTlv.Checksum()));
    }

    /// Addresses of a family that is told as none: a receiver ignores them, and takes the header.
    @Test
    void blockOfAnUnspecifiedFamilyIsSkipped() {
        for (String block : List.of("\300\0\2\1\306\63\144\2\334\4\1\273", "\0", "x".repeat(99))) {
            ProxyHeader header = Wire.decode(Wire.binary(0x21, 0, block));
            assertThat(header.transport()).isEqualTo(Transport.UNSPECIFIED);
            assertThat(header.source()).isNull();
            assertThat(header.tlvs()).isEmpty();
        }
        assertThat(Wire.decode(Wire.binary(0x21, 0, Wire.tlv(5, "id"))).tlvs())
                .containsExactly(new ProxyTlv.UniqueId(new byte[] {'i', 'd'}));
    }

    @Test
    void wrongChecksumIsRefusedWithoutAFamily() {
        String wire = Wire.binary(0x21, 0, Wire.tlv(3, "abcd"));
        assertThatThrownBy(() -> Wire.decode(wire)).isExactlyInstanceOf(HaproxyException.class);
    }

    @Test
    void sslTellsTheClientsCertificate() {
        var ssl = new ProxyTlv.Ssl(3, 0, List.of(new ProxyTlv.SslText(0x22, "alice")));
        assertThat(ssl.isVerified()).isTrue();
        assertThat(ssl.text(ProxyTlv.SslText.COMMON_NAME)).isEqualTo("alice");
        assertThat(ssl.text(ProxyTlv.SslText.CIPHER)).isNull();
        assertThat(new ProxyTlv.Ssl(1, 0, List.of()).isVerified()).isFalse();
        assertThat(new ProxyTlv.Ssl(3, 1, List.of()).isVerified()).isFalse();
        var header = ProxyHeader.v2(A, B, ssl);
        assertThat(header.tlv(ProxyTlv.Ssl.class)).isEqualTo(ssl);
        assertThat(header.tlv(ProxyTlv.Alpn.class)).isNull();
    }

    @Test
    void checksumCoversTheWholeHeader() {
        String wire = Wire.encode(ProxyHeader.v2(A, B, new ProxyTlv.Checksum()));
        assertThat(Wire.decode(wire).tlvs()).containsExactly(new ProxyTlv.Checksum());
        int type = 28; // without it there is no checksum to check; nor is there with LOCAL, byte 12
        for (int i = 13; i < wire.length(); i = i + 1 == type ? i + 2 : i + 1) {
            char[] changed = wire.toCharArray();
            changed[i] = (char) (changed[i] ^ 1);
            assertThatThrownBy(() -> Wire.decode(new String(changed)))
                    .as("byte %d", i)
                    .isInstanceOfAny(
                            HaproxyException.class, java.util.NoSuchElementException.class);
        }
    }

    @Test
    void headerIsThatOfTheSpecification() {
        assertThat(HexFormat.of().formatHex(Wire.encode(ProxyHeader.v2(A, B)).getBytes(ISO_8859_1)))
                .isEqualTo(
                        "0d0a0d0a000d0a515549540a" + "2111000c" + "c0000201c6336402" + "dc0401bb");
        assertThat(Wire.encode(ProxyHeader.local())).isEqualTo(Wire.SIGNATURE + "\40\0\0\0");
    }

    @Test
    void localBlockIsDiscarded() {
        ProxyHeader header =
                Wire.decode(Wire.binary(0x20, 0x11, "\1\2\3\4\5\6\7\10\0\1\0\2\1\377\377"));
        assertThat(header).isEqualTo(ProxyHeader.local());
        assertThat(header.isProxied()).isFalse();
    }

    @Test
    void bytesBehindTheHeaderStayUnread() {
        try (Buffer in = Wire.buffer(Wire.encode(ProxyHeader.v1(A, B)) + "PROXY UNKNOWN\r\n")) {
            HaproxyDecoder decoder = new HaproxyDecoder();
            var headers = new java.util.ArrayList<ProxyHeader>();
            decoder.decode(in, headers::add);
            decoder.decode(in, headers::add);
            assertThat(headers).hasSize(1);
            assertThat(in.readString(ISO_8859_1)).isEqualTo("PROXY UNKNOWN\r\n");
        }
    }

    @Test
    void headersThatDoNotGoTogetherAreRefused() {
        ProxyAddress unix = new ProxyAddress.Unix("/a");
        assertThatThrownBy(() -> ProxyHeader.v1(A, unix)).hasMessageContaining("expected");
        assertThatThrownBy(() -> ProxyHeader.v2(Transport.TCP4, A, B6))
                .hasMessageContaining("of TCP4");
        assertThatThrownBy(() -> ProxyHeader.v2(unix, A)).hasMessageContaining("of UNIX_STREAM");
        assertThatThrownBy(() -> new ProxyAddress.Unix("x".repeat(109)))
                .hasMessage("path: 109 bytes (expected: at most 108, without NUL)");
        assertThatThrownBy(
                        () ->
                                new ProxyHeader(
                                        ProxyVersion.V1,
                                        false,
                                        Transport.TCP4,
                                        A,
                                        B,
                                        List.of(new ProxyTlv.Alpn("h2"))))
                .hasMessageContaining("version 1");
        assertThatThrownBy(
                        () ->
                                Wire.encode(
                                        ProxyHeader.v2(
                                                A, B, new ProxyTlv.Raw(0xE0, new byte[65_536]))))
                .hasMessageContaining("65536 (expected: at most 65535)");
        assertThatThrownBy(
                        () ->
                                Wire.encode(
                                        ProxyHeader.v2(
                                                A,
                                                B,
                                                new ProxyTlv.Checksum(),
                                                new ProxyTlv.Checksum())))
                .hasMessageContaining("checksum");
    }

    @Test
    void refusedHeaderLeavesNoByteBehind() {
        ProxyHeader tooLong = ProxyHeader.v2(A, B, new ProxyTlv.Raw(0xE0, new byte[65_536]));
        try (Output out = new Output()) {
            new HaproxyEncoder().encode(ProxyHeader.unknown(), out);
            long before = out.size();
            assertThatThrownBy(() -> new HaproxyEncoder().encode(tooLong, out))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(out.size()).isEqualTo(before);
        }
    }

    @Test
    void addressesOfSockets() {
        InetSocketAddress tcp = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
        assertThat(ProxyAddress.of(tcp).toSocketAddress()).isEqualTo(tcp);
        UnixDomainSocketAddress unix = UnixDomainSocketAddress.of("/run/a");
        assertThat(ProxyAddress.of(unix).toSocketAddress()).isEqualTo(unix);
        assertThat(new ProxyAddress.Unix("\0abstract").toSocketAddress()).isNull();
        assertThatThrownBy(() -> ProxyAddress.of(InetSocketAddress.createUnresolved("a", 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void versionIsDetectedWithTheFirstBytesThatTell() {
        assertThat(detect("")).isInstanceOf(Detection.NeedsMore.class);
        assertThat(detect("PROXY")).isInstanceOf(Detection.NeedsMore.class);
        assertThat(detect("PROXY ")).isEqualTo(Detection.found(ProxyVersion.V1));
        assertThat(detect("PR0XY")).isInstanceOf(Detection.Unknown.class);
        assertThat(detect(Wire.SIGNATURE.substring(0, 11))).isInstanceOf(Detection.NeedsMore.class);
        assertThat(detect(Wire.SIGNATURE)).isEqualTo(Detection.found(ProxyVersion.V2));
        assertThat(detect("\r\n\r\nX")).isInstanceOf(Detection.Unknown.class);
        assertThat(detect("GET")).isInstanceOf(Detection.Unknown.class);
    }

    private static Detection<ProxyVersion> detect(String wire) {
        try (Buffer in = Wire.buffer(wire)) {
            return ProxyVersion.detect(in);
        }
    }
}
