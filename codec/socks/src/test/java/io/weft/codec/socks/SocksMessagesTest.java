package io.weft.codec.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.codec.Detection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocksMessagesTest {
    private static final SocksAddress IP4 = SocksAddress.of("192.0.2.7", 80);
    private static final SocksAddress IP6 = SocksAddress.of("2001:db8::7", 65_535);
    private static final SocksAddress NAME = SocksAddress.of("example.org", 443);

    @Test
    void requestsOfEachVersionAndAddressRoundTrip() {
        for (SocksAddress address : List.of(IP4, IP6, NAME)) {
            for (int command = 0; command < 256; command++) {
                var request = new Socks5Request(new SocksCommand(command), address);
                assertThat(Wire.ofClient("\5\1\0" + Wire.encode(request))).endsWith(request);
            }
        }
        for (SocksAddress address : List.of(IP4, NAME, SocksAddress.UNSPECIFIED)) {
            var request = new Socks4Request(SocksCommand.BIND, address, "fréd");
            assertThat(Wire.ofClient(Wire.encode(request))).containsExactly(request);
        }
    }

    @Test
    void repliesOfEachCodeRoundTrip() {
        for (int code = 0; code < 256; code++) {
            var four = new Socks4Reply(new Socks4Status(code), IP4);
            assertThat(Wire.ofServer(SocksVersion.V4, Wire.encode(four))).containsExactly(four);
            var five = new Socks5Reply(new Socks5Status(code), NAME);
            assertThat(Wire.ofServer(SocksVersion.V5, "\5\0" + Wire.encode(five))).endsWith(five);
        }
    }

    @Test
    void methodsOfAllCodesAreOffered() {
        Socks5Method[] all = new Socks5Method[255];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Socks5Method(i);
        }
        var greeting = new Socks5Greeting(all);
        assertThat(Wire.ofClient(Wire.encode(greeting))).containsExactly(greeting);
        assertThat(greeting.choose(Socks5Method.NO_ACCEPTABLE, Socks5Method.PASSWORD))
                .isEqualTo(Socks5Method.PASSWORD);
        assertThat(new Socks5Greeting(Socks5Method.GSSAPI).choose(Socks5Method.PASSWORD))
                .isEqualTo(Socks5Method.NO_ACCEPTABLE);
    }

    @Test
    void passwordsHaveTheirLongestLengthsAndAreNotPrinted() {
        var longest = new Socks5PasswordRequest("u".repeat(255), "é".repeat(127));
        assertThat(Wire.ofClient("\5\1\2" + Wire.encode(longest))).endsWith(longest);
        var empty = new Socks5PasswordRequest("u", "");
        assertThat(Wire.ofClient("\5\1\2" + Wire.encode(empty))).endsWith(empty);
        assertThat(longest.toString()).doesNotContain("é");
        assertThatThrownBy(() -> new Socks5PasswordRequest("", "x"))
                .hasMessage("username: 0 bytes (expected: 1 to 255)");
        assertThatThrownBy(() -> new Socks5PasswordRequest("u", "s3cret".repeat(43)))
                .hasMessage("bytes of the password: 258 (expected: at most 255)");
    }

    /// The second reply to BIND is not expected unless asked for: bytes of the connection may look
    /// like one.
    @Test
    void bindHasTwoReplies() {
        String wire =
                Wire.encode(
                        new Socks5MethodChoice(Socks5Method.NO_AUTHENTICATION),
                        new Socks5Reply(Socks5Status.SUCCEEDED, IP4),
                        new Socks5Reply(Socks5Status.SUCCEEDED, IP6));
        assertThat(Wire.ofServer(SocksVersion.V5, wire)).hasSize(2);
        var decoder = new SocksClientDecoder(SocksVersion.V5);
        var replies = new java.util.ArrayList<SocksServerMessage>();
        try (Buffer in = Wire.buffer(wire + "data")) {
            decoder.decode(in, replies::add);
            decoder.expectReply();
            decoder.decode(in, replies::add);
            assertThat(in.readString(StandardCharsets.US_ASCII)).isEqualTo("data");
        }
        assertThat(replies).hasSize(3).endsWith(new Socks5Reply(Socks5Status.SUCCEEDED, IP6));
    }

    @Test
    void serverDecoderWaitsForTheMethod() {
        var decoder = new SocksServerDecoder();
        var messages = new java.util.ArrayList<SocksClientMessage>();
        try (Buffer in = Wire.buffer("\5\1\2\1\1u\1p")) {
            decoder.decode(in, messages::add);
            assertThat(messages).hasSize(1);
            decoder.method(Socks5Method.PASSWORD);
            decoder.decode(in, messages::add);
        }
        assertThat(messages).endsWith(new Socks5PasswordRequest("u", "p"));
        assertThatThrownBy(() -> decoder.method(Socks5Method.PASSWORD))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void privateMethodEndsWhenTheApplicationSaysSo() {
        var decoder = new SocksServerDecoder();
        var messages = new java.util.ArrayList<SocksClientMessage>();
        try (Buffer in = Wire.buffer("\5\1\200private" + "\5\1\0\1\1\2\3\4\0\1")) {
            decoder.decode(in, messages::add);
            decoder.method(new Socks5Method(0x80));
            decoder.decode(in, messages::add);
            assertThat(in.readString(7, StandardCharsets.US_ASCII)).isEqualTo("private");
            decoder.authenticated();
            decoder.decode(in, messages::add);
        }
        assertThat(messages).hasSize(2);
    }

    /// RFC 1928, 7.
    @Test
    void datagramsCarryTheirAddress() {
        for (SocksAddress address : List.of(IP4, IP6, NAME)) {
            Buffer packet = new Socks5Datagram(address, 3, Wire.buffer("content")).encode();
            try (Socks5Datagram decoded = Socks5Datagram.decode(packet)) {
                assertThat(decoded.address()).isEqualTo(address);
                assertThat(decoded.fragment()).isEqualTo(3);
                assertThat(decoded.data().readString(StandardCharsets.US_ASCII))
                        .isEqualTo("content");
            }
        }
    }

    @Test
    void datagramMayBeEmpty() {
        try (Socks5Datagram decoded =
                Socks5Datagram.decode(Wire.buffer("\0\0\0\1\177\0\0\1\0\65"))) {
            assertThat(decoded.address()).isEqualTo(SocksAddress.of("127.0.0.1", 53));
            assertThat(decoded.data().isReadable()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\0b", "a\r\nb", "é.org"})
    void namesThatSocksCannotCarryAreRefused(String host) {
        assertThatThrownBy(() -> SocksAddress.of(host, 80))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: ");
    }

    /// A NUL would end the user and begin the name.
    @Test
    void nulInAUserOfSocks4IsRefused() {
        assertThatThrownBy(() -> new Socks4Request(SocksCommand.CONNECT, NAME, "a\0evil.org"))
                .hasMessageStartingWith("userId: \"a\\u0000evil.org\"");
    }

    @Test
    void addressesThatSocks4CannotSayAreRefused() {
        assertThatThrownBy(() -> new Socks4Request(SocksCommand.CONNECT, IP6))
                .hasMessageContaining("IPv4");
        assertThatThrownBy(
                        () ->
                                new Socks4Request(
                                        SocksCommand.CONNECT, SocksAddress.of("0.0.0.9", 1)))
                .hasMessageContaining("0.0.0.255");
    }

    @Test
    void requestsMakeAnswersOfTheirVersion() {
        var four = new Socks4Request(SocksCommand.CONNECT, IP4);
        var five = new Socks5Request(SocksCommand.CONNECT, IP4);
        assertThat(four.refused(Socks5Status.NOT_ALLOWED))
                .isEqualTo(Socks4Reply.of(Socks4Status.REJECTED));
        assertThat(five.refused(Socks5Status.NOT_ALLOWED))
                .isEqualTo(Socks5Reply.of(Socks5Status.NOT_ALLOWED));
        assertThat(Wire.encode(four.granted(IP4))).isEqualTo("\0\132\0\120\300\0\2\7");
        assertThat(Wire.encode(five.granted(IP4))).isEqualTo("\5\0\0\1\300\0\2\7\0\120");
    }

    @Test
    void addressesOfSockets() {
        assertThat(SocksAddress.of(InetSocketAddress.createUnresolved("a.b", 7)))
                .isEqualTo(new SocksAddress.Name("a.b", 7));
        assertThat(
                        SocksAddress.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7))
                                .toSocketAddress())
                .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7));
        assertThat(NAME.toSocketAddress().isUnresolved()).isTrue();
        assertThat(SocksAddress.of("host1", 7)).isInstanceOf(SocksAddress.Name.class);
    }

    @Test
    void versionIsDetectedByTheFirstByte() {
        assertThat(detect("")).isInstanceOf(Detection.NeedsMore.class);
        assertThat(detect("\4")).isEqualTo(Detection.found(SocksVersion.V4));
        assertThat(detect("\5\1")).isEqualTo(Detection.found(SocksVersion.V5));
        assertThat(detect("GET")).isInstanceOf(Detection.Unknown.class);
    }

    private static Detection<SocksVersion> detect(String wire) {
        try (Buffer in = Wire.buffer(wire)) {
            return SocksVersion.detect(in);
        }
    }
}
