package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressesTest {
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "255.255.255.255", "192.0.2.10", "1.20.255.9"})
    void anIpv4AddressIsFourNumbers(String text) throws Exception {
        assertThat(IpAddresses.isIpv4(text)).isTrue();
        assertThat(IpAddresses.isIpv6(text)).isFalse();
        assertThat(IpAddresses.parse(text)).isEqualTo(InetAddress.ofLiteral(text));
        assertThat(text(IpAddresses.parse(text))).isEqualTo(text);
    }

    @Test
    void anIpv4AddressHasItsFirstByteOnTop() {
        assertThat(IpAddresses.parseIpv4("255.2.3.4")).isEqualTo(0xFF020304L);
        assertThat(IpAddresses.parseIpv4("0.0.0.0")).isZero();
        assertThat(IpAddresses.parseIpv4("0.0.0.256")).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "127.1",
                "1.2.3",
                "2130706433",
                "0x7f.0.0.1",
                "01.2.3.4",
                "1.2.3.00",
                "1.2.3.256",
                "1.2.3.4.5",
                "1.2.3.4.",
                ".1.2.3.4",
                "1..2.3",
                "1.2.3.",
                "1.2.3.-4",
                "1.2.3.+4",
                " 1.2.3.4",
                "1.2.3.4 ",
                "1.2.3.4\n",
                "1.2.3.4\0",
                "1.2.3.4%1",
                "1.2.3.４",
                "4294967300.2.3.4",
                "1.2.3.4:80"
            })
    void whatAnIpv4AddressIsNot(String text) {
        assertThat(IpAddresses.isIpv4(text)).isFalse();
        assertThat(IpAddresses.isIpv6(text)).isFalse();
        assertThat(IpAddresses.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "0:0:0:0:0:0:0:1, ::1",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0db8::0001, 2001:db8::1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:77.88.99.11, 1:2:3:4:5:6:4d58:630b",
        "::1.2.3.4, ::102:304",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "0:0:0:1:0:0:0:0, 0:0:0:1::",
        "fe80::1%1, fe80::1",
        "fe80::1.2.3.4%1, fe80::102:304",
        "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    })
    void anIpv6AddressHasOneCanonicalForm(String text, String canonical) throws Exception {
        assertThat(IpAddresses.isIpv6(text)).isTrue();
        assertThat(IpAddresses.isIpv4(text)).isFalse();
        assertThat(IpAddresses.parse(text)).isEqualTo(InetAddress.ofLiteral(text));
        assertThat(text(IpAddresses.parse(text))).isEqualTo(canonical);
    }

    @Test
    void aMappedAddressIsTheIpv4AddressToTheJdkAndMixedAsText() {
        assertThat(IpAddresses.parse("::ffff:192.0.2.1")).isEqualTo(IpAddresses.parse("192.0.2.1"));
        byte[] bytes = new byte[18];
        assertThat(IpAddresses.parseIpv6("::FFFF:c000:201", bytes, 1)).isTrue();
        var out = new StringBuilder();
        IpAddresses.append(out, java.util.Arrays.copyOfRange(bytes, 1, 17));
        assertThat(out).hasToString("::ffff:192.0.2.1");
        assertThat(bytes[0]).isZero();
        assertThat(bytes[17]).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                ":::",
                "1:",
                ":1",
                "1:::2",
                "1::2::3",
                "12345::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4::5:6:7:8",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7:8::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:1.2.3.4",
                "::1.2.3.4:5",
                "::1.2.3",
                "::01.2.3.4",
                "::1.2.3.256",
                "::g",
                "[::1]",
                "::1 ",
                " ::1",
                "::1%",
                "%lo",
                "::1%a b",
                "::1%lo%lo",
                "1:2:3:4:5:6:7:8%",
                "::1.2.3.4%",
                "::%",
                "1:%lo",
                "1:2:3:4:5:6:7:",
                "1:2:3:4:5:6:7::8:",
                "::.1.2.3.4",
                "::12345.1.2.3",
                "::1.2.3.4/8",
                "::1/64",
                "::１",
                "0000000000000000000000000000000000000000000001::"
            })
    void whatAnIpv6AddressIsNot(String text) {
        assertThat(IpAddresses.isIpv6(text)).isFalse();
        assertThat(IpAddresses.isIpv4(text)).isFalse();
        assertThat(IpAddresses.parse(text)).isNull();
    }

    @Test
    void aZoneIsAnIndexOrTheNameOfAnInterface() {
        assertThat(IpAddresses.parse("fe80::1%7"))
                .isInstanceOfSatisfying(
                        Inet6Address.class, a -> assertThat(a.getScopeId()).isEqualTo(7));
        assertThat(IpAddresses.isIpv6("fe80::1%no-such-interface")).isTrue();
        assertThat(IpAddresses.parse("fe80::1%no-such-interface")).isNull();
    }

    @Test
    void roomForSixteenBytesIsChecked() {
        assertThatThrownBy(() -> IpAddresses.parseIpv6("::", new byte[16], 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> IpAddresses.append(new StringBuilder(), new byte[5]))
                .hasMessage("address: 5 bytes (expected: 4 or 16)");
    }

    /// Random texts made of what addresses are made of, many of them nearly right.
    @Test
    void theJdkAgrees() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        int addresses = 0;
        for (int i = 0; i < 100_000; i++) {
            String text =
                    switch (i % 4) {
                        case 0 -> ipv4(random);
                        case 1 -> ipv6(random);
                        case 2 -> mutated(ipv6(random), random);
                        default -> mutated(ipv4(random), random);
                    };
            InetAddress theirs = jdk(text);
            InetAddress ours = IpAddresses.parse(text);
            boolean valid = IpAddresses.isIpv4(text) || IpAddresses.isIpv6(text);
            boolean agreed =
                    ours == null
                            ? theirs == null || isLax(text)
                            : ours.equals(theirs) && ours.equals(IpAddresses.parse(text(ours)));
            if (!agreed || valid != (ours != null)) {
                fail("%s: %s, the JDK %s (seed %d)", text, ours, theirs, seed);
            }
            addresses += ours == null ? 0 : 1;
        }
        assertThat(addresses).isGreaterThan(20_000);
    }

    /// Tells if only the JDK takes `text`: fewer than four numbers, leading zeros, groups of more
    /// than four digits.
    private static boolean isLax(String text) {
        for (String group : text.split(":", -1)) {
            if (text.indexOf(':') >= 0 && group.length() > 4 && group.charAt(0) == '0') {
                return true;
            }
        }
        String tail = text.substring(text.lastIndexOf(':') + 1);
        String[] parts = tail.split("\\.", -1);
        if (parts.length < 4) {
            return text.indexOf(':') < 0;
        }
        for (String part : parts) {
            if (part.length() > 1 && part.charAt(0) == '0') {
                return true;
            }
        }
        return false;
    }

    private static @Nullable InetAddress jdk(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String text(@Nullable InetAddress address) {
        var out = new StringBuilder();
        if (address instanceof Inet4Address || address instanceof Inet6Address) {
            IpAddresses.append(out, address.getAddress());
        }
        return out.toString();
    }

    private static String ipv4(Random random) {
        var out = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            out.append(i == 0 ? "" : ".")
                    .append(random.nextInt(random.nextInt(10) == 0 ? 300 : 256));
        }
        return out.toString();
    }

    private static String ipv6(Random random) {
        var out = new StringBuilder();
        int groups = random.nextInt(4) == 0 ? random.nextInt(10) : 8;
        int gap = random.nextInt(12);
        for (int i = 0; i < groups; i++) {
            if (i == gap) {
                out.append(i == 0 ? "::" : ":");
                i += random.nextInt(3);
            }
            out.append(Integer.toHexString(random.nextInt(1 << (1 + random.nextInt(16)))));
            out.append(i < groups - 1 ? ":" : "");
        }
        if (random.nextInt(6) == 0) {
            int colon = out.lastIndexOf(":");
            out.setLength(Math.max(colon + 1, 0));
            out.append(ipv4(random));
        }
        return out.toString();
    }

    private static String mutated(String text, Random random) {
        var out = new StringBuilder(text);
        for (int n = 1 + random.nextInt(2); n > 0; n--) {
            int at = random.nextInt(out.length() + 1);
            char c = "0123456789abcdefF::::...xg".charAt(random.nextInt(26));
            switch (random.nextInt(3)) {
                case 0 -> out.insert(at, c);
                case 1 -> out.delete(at, Math.min(at + 1, out.length()));
                default -> {
                    if (at < out.length()) {
                        out.setCharAt(at, c);
                    }
                }
            }
        }
        return out.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.3.4",
                "1.2.3.4.",
                "127.1",
                "2130706433",
                "0177.0.0.1",
                "0x7f000001",
                "0x",
                "a.b.0X7f",
                "example.1",
                "1"
            })
    void namesThatEndInANumberAreTold(String name) {
        assertThat(IpAddresses.endsInNumber(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "1.2.3.4..",
                "a",
                "1.example",
                "0xg",
                "x0",
                "example.0x1g",
                "1a",
                "::1",
                "\u0661"
            })
    void namesThatDoNotEndInANumberAreTold(String name) {
        assertThat(IpAddresses.endsInNumber(name)).isFalse();
    }
}
