package io.weft.codec.haproxy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedTest {
    private static final String ADDRESSES = "\1\2\3\4\5\6\7\10\0\1\0\2";

    private static String line(String rest) {
        return "PROXY " + rest;
    }

    private static String v2(String tlvs) {
        return Wire.binary(0x21, 0x11, ADDRESSES + tlvs);
    }

    /// Faults, each with its input, under limits as in the lab.
    static final String[][] HEADERS = {
        {"HTTP", "GET / HTTP/1.1\r\n\r\n"},
        {"POST", "POST / HTTP/1.1\r\n\r\n"},
        {"lower case", "proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n"},
        {"TLS", "\26\3\1\0\1"},
        {"another binary signature", "\r\n\r\n\1"},
        {"no protocol", line("\r\n")},
        {"another protocol", line("UDP4 1.2.3.4 5.6.7.8 1 2\r\n")},
        {"UNKNOWN with more behind it", line("UNKNOWNX\r\n")},
        {"a line ended by LF", line("TCP4 1.2.3.4 5.6.7.8 1 2\n")},
        {"CR without LF", line("TCP4 1.2.3.4 5.6.7.8 1 2\rX")},
        {"NUL in a line", line("UNKNOWN \0\r\n")},
        {"a tab", line("TCP4\t1.2.3.4 5.6.7.8 1 2\r\n")},
        {"two spaces", line("TCP4  1.2.3.4 5.6.7.8 1 2\r\n")},
        {"a space at the end", line("TCP4 1.2.3.4 5.6.7.8 1 2 \r\n")},
        {"one port", line("TCP4 1.2.3.4 5.6.7.8 1\r\n")},
        {"three ports", line("TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n")},
        {"a name", line("TCP4 localhost 5.6.7.8 1 2\r\n")},
        {"an octal number", line("TCP4 01.2.3.4 5.6.7.8 1 2\r\n")},
        {"a number above 255", line("TCP4 1.2.3.256 5.6.7.8 1 2\r\n")},
        {"three numbers", line("TCP4 1.2.3 5.6.7.8 1 2\r\n")},
        {"IPv6 in TCP4", line("TCP4 ::1 ::1 1 2\r\n")},
        {"IPv4 in TCP6", line("TCP6 1.2.3.4 5.6.7.8 1 2\r\n")},
        {"a scope", line("TCP6 fe80::1%eth0 ::1 1 2\r\n")},
        {"brackets", line("TCP6 [::1] ::1 1 2\r\n")},
        {"no address of IPv6", line("TCP6 1::2::3 ::1 1 2\r\n")},
        {"a port above 65535", line("TCP4 1.2.3.4 5.6.7.8 1 65536\r\n")},
        {"a negative port", line("TCP4 1.2.3.4 5.6.7.8 -1 2\r\n")},
        {"a port with a zero before", line("TCP4 1.2.3.4 5.6.7.8 01 2\r\n")},
        {"a port with a sign", line("TCP4 1.2.3.4 5.6.7.8 +1 2\r\n")},
        {"108 bytes", line("UNKNOWN " + "x".repeat(92) + "\r\n")},
        {"a line without an end", line("UNKNOWN " + "x".repeat(200))},
        {"version 1 in binary", Wire.binary(0x11, 0x11, ADDRESSES)},
        {"version 3", Wire.binary(0x31, 0x11, ADDRESSES)},
        {"a version with the sign's bit", Wire.binary(0xA1, 0x11, ADDRESSES)},
        {"command 2", Wire.binary(0x22, 0x11, ADDRESSES)},
        {"family 4", Wire.binary(0x21, 0x41, ADDRESSES)},
        {"transport 3", Wire.binary(0x21, 0x13, ADDRESSES)},
        {"IPv4 without a transport", Wire.binary(0x21, 0x10, ADDRESSES)},
        {"a transport without a family", Wire.binary(0x21, 0x01, ADDRESSES)},
        {"half the addresses of IPv4", Wire.binary(0x21, 0x11, ADDRESSES.substring(1))},
        {"the addresses of IPv4 as IPv6", Wire.binary(0x21, 0x21, ADDRESSES)},
        {"the addresses of IPv4 as Unix", Wire.binary(0x21, 0x31, ADDRESSES)},
        {"a long header", Wire.binary(0x21, 0x11, "x".repeat(285))},
        {"the longest header", Wire.SIGNATURE + "\41\21\377\377"},
        {"half a tlv's header", v2("\1\0")},
        {"a tlv beyond the header", v2("\1\0\3ab")},
        {"many tlvs", v2("\4\0\0".repeat(9))},
        {"many tlvs in ssl", v2(Wire.tlv(0x20, "\0\0\0\0\0" + "\340\0\0".repeat(8)))},
        {"a short ssl", v2(Wire.tlv(0x20, "\0\0\0\0"))},
        {"a tlv beyond ssl", v2(Wire.tlv(0x20, "\0\0\0\0\0\41\0\5ab") + "\4\0\0")},
        {"half a tlv's header in ssl", v2(Wire.tlv(0x20, "\0\0\0\0\0\41\0"))},
        {"a checksum of 3 bytes", v2(Wire.tlv(3, "abc"))},
        {"a wrong checksum", v2(Wire.tlv(3, "abcd"))},
        {"two checksums", v2(Wire.tlv(3, "abcd").repeat(2))},
        {"a long id", v2(Wire.tlv(5, "x".repeat(129)))},
        {"an authority that is not UTF-8", v2(Wire.tlv(2, "\377"))},
        {"a cipher that is not UTF-8", v2(Wire.tlv(0x20, "\0\0\0\0\0" + Wire.tlv(0x23, "\300")))},
        {"a path that is not UTF-8", Wire.binary(0x21, 0x31, "\377" + "\0".repeat(215))},
    };

    static Stream<String[]> headers() {
        return Stream.of(HEADERS);
    }

    @ParameterizedTest
    @MethodSource("headers")
    void headerIsRefused(String what, String wire) {
        assertThatThrownBy(
                        () -> {
                            try (Buffer in = Wire.buffer(wire)) {
                                new HaproxyDecoder(Wire.LIMITS).decode(in, _ -> {});
                            }
                        })
                .as(what)
                .isExactlyInstanceOf(HaproxyException.class)
                .hasMessageContaining("(expected: ");
    }
}
