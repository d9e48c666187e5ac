package io.weft.tls.openssl;

import static io.weft.tls.machine.CertificateFault.OTHER;
import static io.weft.tls.machine.CertificateFault.WRONG_HOST;
import static io.weft.tls.openssl.CertificateCases.ROOT;
import static io.weft.tls.openssl.CertificateCases.leaf;
import static io.weft.tls.openssl.CertificateCases.named;
import static io.weft.tls.x509.CertificateBuilder.SERVER_AUTH;

import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;

/// Names and addresses that are those of a host, and those that only look so.
final class HostCases {
    private HostCases() {}

    static void addTo(CertificateCases cases) {
        names(cases);
        addresses(cases);
    }

    private static TlsIdentity address(int... bytes) {
        return leaf().alternativeName(7, octets(bytes)).signedBy(ROOT);
    }

    private static byte[] octets(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static void names(CertificateCases cases) {
        cases.good("another case", named("A.Example"), "a.eXAMPLE");
        cases.good("a trailing dot of the host", named("a.example"), "a.example.");
        cases.good("the second of two names", named("b.example", "a.example"), "a.example");
        cases.good("a wildcard", named("*.a.example"), "b.a.example");
        cases.good("a name in IDNA", named("xn--bcher-kva.example"), "bücher.example");
        cases.bad("another host", named("b.example"), "a.example", WRONG_HOST);
        cases.bad("the domain above", named("example.com"), "www.example.com", WRONG_HOST);
        cases.bad("a host below", named("www.example.com"), "example.com", WRONG_HOST);
        cases.bad("the same ending", named("ample.com"), "example.com", WRONG_HOST);
        cases.bad("no name", leaf().signedBy(ROOT), "a.example", WRONG_HOST);
        cases.bad(
                "a common name only",
                CertificateBuilder.subject("CN=a.example")
                        .extendedKeyUsage(SERVER_AUTH)
                        .signedBy(ROOT),
                "a.example",
                WRONG_HOST);
        cases.bad(
                "a common name beside another name",
                CertificateBuilder.subject("CN=a.example").dnsName("b.example").signedBy(ROOT),
                "a.example",
                WRONG_HOST);
        cases.bad("a wildcard for the domain", named("*.a.example"), "a.example", WRONG_HOST);
        cases.bad(
                "a wildcard two levels up", named("*.example.com"), "a.b.example.com", WRONG_HOST);
        cases.bad("a wildcard of a public suffix", named("*.example"), "a.example", WRONG_HOST);
        cases.bad("a wildcard alone", named("*"), "a", WRONG_HOST);
        cases.bad("a wildcard and a dot", named("*."), "a.example", WRONG_HOST);
        cases.bad("a wildcard in a label", named("w*.a.example"), "www.a.example", WRONG_HOST);
        cases.bad(
                "a wildcard at a label's end", named("*w.a.example"), "www.a.example", WRONG_HOST);
        cases.bad("a wildcard in the middle", named("a.*.example"), "a.b.example", WRONG_HOST);
        cases.bad("two wildcards", named("*.*.example"), "a.b.example", WRONG_HOST);
        cases.bad(
                "a wildcard in IDNA",
                named("xn--*.a.example"),
                "xn--bcher-kva.a.example",
                WRONG_HOST);
        cases.bad("a wildcard for an address", named("*.0.0.1"), "127.0.0.1", WRONG_HOST);
        cases.bad("a trailing dot of the name", named("a.example."), "a.example", WRONG_HOST);
        cases.bad("a leading dot", named(".a.example"), "b.a.example", WRONG_HOST);
        cases.bad(
                "NUL after the name",
                named("a.example\0.evil.com"),
                "a.example",
                WRONG_HOST,
                OTHER);
        cases.bad("NUL at the end", named("a.example\0"), "a.example", WRONG_HOST, OTHER);
        cases.bad("a space", named(" a.example"), "a.example", WRONG_HOST);
        cases.bad("a line break", named("a.example\n"), "a.example", WRONG_HOST);
        cases.bad("a scheme", named("https://a.example"), "a.example", WRONG_HOST);
        cases.bad(
                "letters beyond ASCII",
                named("bücher.example"),
                "bücher.example",
                WRONG_HOST,
                OTHER);
        cases.bad(
                "another name in IDNA",
                named("xn--bcher-kva.example"),
                "bucher.example",
                WRONG_HOST);
        cases.bad(
                "the host as URI",
                leaf().alternativeName(6, ascii("https://a.example")).signedBy(ROOT),
                "a.example",
                WRONG_HOST);
        cases.bad(
                "the host as mail",
                leaf().alternativeName(1, ascii("root@a.example")).signedBy(ROOT),
                "a.example",
                WRONG_HOST);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void addresses(CertificateCases cases) {
        cases.good("an address", address(127, 0, 0, 1), "127.0.0.1");
        cases.good(
                "an address of IPv6",
                address(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
                "2001:db8::1");
        cases.bad("another address", address(127, 0, 0, 2), "127.0.0.1", WRONG_HOST);
        cases.bad("an address as a name", named("127.0.0.1"), "127.0.0.1", WRONG_HOST);
        cases.bad(
                "an address as a common name",
                CertificateBuilder.subject("CN=127.0.0.1").signedBy(ROOT),
                "127.0.0.1",
                WRONG_HOST);
        cases.bad("an address for a name", address(127, 0, 0, 1), "localhost", WRONG_HOST);
        cases.bad(
                "a network for an address",
                address(127, 0, 0, 1, 255, 0, 0, 0),
                "127.0.0.1",
                WRONG_HOST,
                OTHER);
        cases.bad(
                "text in place of an address",
                leaf().alternativeName(7, ascii("127.0.0.1")).signedBy(ROOT),
                "127.0.0.1",
                WRONG_HOST,
                OTHER);
    }
}
