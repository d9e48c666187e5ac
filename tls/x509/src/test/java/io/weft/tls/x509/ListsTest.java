package io.weft.tls.x509;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists that certificates name are fetched within limits, when nothing else decides.
class ListsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root")
                    .authority(-1)
                    .keyUsage(CertificateBuilder.KEY_CERT_SIGN, CertificateBuilder.CRL_SIGN)
                    .selfSigned();

    private static byte[] list(TlsIdentity issuer, X509Certificate... revoked) {
        Instant now = Instant.now();
        byte[] from = Der.time(now.minus(Duration.ofHours(1)));
        byte[][] entries =
                Arrays.stream(revoked)
                        .map(each -> Der.sequence(Der.integer(each.getSerialNumber()), from))
                        .toArray(byte[][]::new);
        String algorithm = Signing.of(issuer.key());
        byte[] body =
                Der.sequence(
                        Der.integer(BigInteger.ONE),
                        Signing.identifier(algorithm),
                        issuer.certificate().getSubjectX500Principal().getEncoded(),
                        from,
                        Der.time(now.plus(Duration.ofHours(1))),
                        revoked.length == 0 ? new byte[0] : Der.sequence(entries));
        return Signing.signed(body, algorithm, issuer.key());
    }

    private static X509CRL parsed(byte[] list) throws GeneralSecurityException {
        return (X509CRL)
                CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(list));
    }

    private static CertificateBuilder named(String... points) {
        byte[][] each =
                Arrays.stream(points)
                        .map(uri -> Der.implicit(6, uri.getBytes(US_ASCII)))
                        .map(name -> Der.sequence(Der.explicit(0, Der.explicit(0, name))))
                        .toArray(byte[][]::new);
        return CertificateBuilder.subject("CN=leaf")
                .extension("2.5.29.31", false, Der.sequence(each));
    }

    private static RevocationTrust trust(List<X509CRL> lists, Option... options) {
        return new RevocationTrust(List.of(ROOT.certificate()), lists, Set.of(options), LONG);
    }

    private static @Nullable BasicReason check(RevocationTrust trust, TlsIdentity leaf) {
        try {
            X509Certificate[] chain = leaf.chain().toArray(new X509Certificate[0]);
            trust.check(chain, "UNKNOWN", true, List.of());
            return null;
        } catch (CertificateException e) {
            assertThat(e.getCause()).isInstanceOf(CertPathValidatorException.class);
            // Of the list, where it is behind that of the responder.
            return Stream.concat(Stream.of(e.getCause()), Arrays.stream(suppressed(e)))
                    .map(each -> (BasicReason) ((CertPathValidatorException) each).getReason())
                    .reduce((_, last) -> last)
                    .orElseThrow();
        }
    }

    private static Throwable[] suppressed(CertificateException e) {
        return Objects.requireNonNull(e.getCause()).getSuppressed();
    }

    private static ScriptedResponder point(byte[] content) {
        return new ScriptedResponder((request, out) -> ScriptedResponder.ok(out, content));
    }

    @Test
    void theListThatACertificateNamesDecidesAndIsKept() {
        byte[][] content = {list(ROOT)};
        try (ScriptedResponder point =
                new ScriptedResponder((request, out) -> ScriptedResponder.ok(out, content[0]))) {
            RevocationTrust trust = trust(List.of());
            TlsIdentity good = named(point.uri()).signedBy(ROOT);
            TlsIdentity bad = named(point.uri()).signedBy(ROOT);
            content[0] = list(ROOT, bad.certificate());
            for (int i = 0; i < 2; i++) {
                assertThat(check(trust, good)).isNull();
                assertThat(check(trust, bad)).isEqualTo(BasicReason.REVOKED);
            }
            assertThat(point.asked).hasSize(1);
        }
    }

    @Test
    void aListThatIsGivenMakesOthersSuperfluous() throws Exception {
        try (ScriptedResponder never = new ScriptedResponder((request, out) -> {})) {
            TlsIdentity leaf = named(never.uri()).signedBy(ROOT);
            assertThat(check(trust(List.of(parsed(list(ROOT)))), leaf)).isNull();
            assertThat(check(trust(List.of(), Option.NO_FALLBACK), leaf)).isNotNull();
            assertThat(never.asked).isEmpty();
        }
    }

    @Test
    void aListThatDecidesNothingIsFetchedAgain() {
        TlsIdentity other = CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
        for (byte[] useless : List.of(list(other), new byte[] {1, 2, 3})) {
            try (ScriptedResponder point = point(useless)) {
                TlsIdentity leaf = named(point.uri()).signedBy(ROOT);
                RevocationTrust trust = trust(List.of());
                assertThat(check(trust, leaf))
                        .isEqualTo(BasicReason.UNDETERMINED_REVOCATION_STATUS);
                assertThat(check(trust, leaf))
                        .isEqualTo(BasicReason.UNDETERMINED_REVOCATION_STATUS);
                assertThat(point.asked).hasSize(2);
            }
        }
    }

    @Test
    void theNextPointIsTriedWhereOneFails() {
        try (ScriptedResponder closes = new ScriptedResponder((request, out) -> {});
                ScriptedResponder works = point(list(ROOT))) {
            TlsIdentity leaf = named("ldap://127.0.0.1/", closes.uri(), works.uri()).signedBy(ROOT);
            assertThat(check(trust(List.of()), leaf)).isNull();
        }
    }

    @Test
    void eachSourceStandsInForTheOther() {
        try (ScriptedResponder fails = new ScriptedResponder((request, out) -> {});
                ScriptedResponder list = point(list(ROOT));
                ScriptedResponder responder =
                        new ScriptedResponder(
                                ScriptedResponder.status(ROOT, ScriptedResponder.GOOD))) {
            TlsIdentity byList = named(list.uri()).ocspResponder(fails.uri()).signedBy(ROOT);
            TlsIdentity byOcsp = named(fails.uri()).ocspResponder(responder.uri()).signedBy(ROOT);
            for (TlsIdentity leaf : List.of(byList, byOcsp)) {
                assertThat(check(trust(List.of()), leaf)).isNull();
                assertThat(check(trust(List.of(), Option.PREFER_CRLS), leaf)).isNull();
            }
            Option[] onlyLists = {Option.PREFER_CRLS, Option.NO_FALLBACK};
            assertThat(check(trust(List.of(), onlyLists), byList)).isNull();
            assertThat(check(trust(List.of(), onlyLists), byOcsp)).isNotNull();
            assertThat(check(trust(List.of(), Option.NO_FALLBACK), byList)).isNotNull();
            assertThat(check(trust(List.of(), Option.NO_FALLBACK), byOcsp)).isNull();
        }
    }

    @Test
    void anEndlessListIsNotReadToItsEnd() {
        long most = 256 << 20; // with what buffers of the kernel hold, 4 MiB are far below
        CompletableFuture<Long> written = new CompletableFuture<>();
        try (ScriptedResponder endless =
                new ScriptedResponder((request, out) -> written.complete(pour(out, most)))) {
            TlsIdentity leaf = named(endless.uri()).signedBy(ROOT);
            assertThat(check(trust(List.of(), Option.PREFER_CRLS, Option.NO_FALLBACK), leaf))
                    .isEqualTo(BasicReason.UNDETERMINED_REVOCATION_STATUS);
            assertThat(written.join()).isLessThan(most / 4);
        }
    }

    private static long pour(OutputStream out, long most) {
        long sum = 0;
        try {
            ScriptedResponder.head(out, "200 OK");
            out.write(new byte[] {0x30, (byte) 0x84, 0x7f, 0, 0, 0}); // as a long list begins
            for (byte[] chunk = new byte[1 << 16]; sum < most; sum += chunk.length) {
                out.write(chunk);
            }
        } catch (IOException e) {
            return sum; // the other side has had enough
        }
        return sum;
    }

    @Test
    void aRedirectToAListIsNotFollowed() {
        try (ScriptedResponder inside = point(list(ROOT));
                ScriptedResponder outside =
                        new ScriptedResponder(
                                (request, out) ->
                                        ScriptedResponder.head(
                                                out,
                                                "302 Found",
                                                "Location: " + inside.uri(),
                                                "Content-Length: 0"))) {
            TlsIdentity leaf = named(outside.uri()).signedBy(ROOT);
            assertThat(check(trust(List.of()), leaf)).isNotNull();
            assertThat(inside.asked).isEmpty();
        }
    }

    @Test
    void filesAreNotRead(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("list"), list(ROOT));
        TlsIdentity leaf = named(file.toUri().toString()).signedBy(ROOT);
        assertThat(check(trust(List.of()), leaf)).isNotNull();
    }

    @Test
    void anAuthorityThatMayNotSignListsSignsNone() throws Exception {
        for (int usage :
                new int[] {CertificateBuilder.CRL_SIGN, CertificateBuilder.KEY_CERT_SIGN}) {
            TlsIdentity between =
                    CertificateBuilder.subject("CN=between")
                            .authority(-1)
                            .keyUsage(CertificateBuilder.KEY_CERT_SIGN, usage)
                            .signedBy(ROOT);
            try (ScriptedResponder point = point(list(between))) {
                TlsIdentity leaf = named(point.uri()).signedBy(between);
                assertThat(check(trust(List.of(), Option.ONLY_END_ENTITY), leaf) == null)
                        .isEqualTo(usage == CertificateBuilder.CRL_SIGN);
                RevocationTrust given =
                        trust(List.of(parsed(list(between))), Option.ONLY_END_ENTITY);
                assertThat(check(given, leaf) == null)
                        .isEqualTo(usage == CertificateBuilder.CRL_SIGN);
            }
        }
    }
}
