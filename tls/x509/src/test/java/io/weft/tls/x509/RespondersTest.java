package io.weft.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Responders that certificates name are asked within limits; one that misbehaves leaves the
/// status unknown and costs no more than them.
class RespondersTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final TlsIdentity ROOT = authority("CN=root").selfSigned();

    private static CertificateBuilder authority(String name) {
        return CertificateBuilder.subject(name)
                .authority(-1)
                .keyUsage(CertificateBuilder.KEY_CERT_SIGN, CertificateBuilder.CRL_SIGN);
    }

    private static TlsIdentity leaf(String responder) {
        return CertificateBuilder.subject("CN=leaf").ocspResponder(responder).signedBy(ROOT);
    }

    private static @Nullable CertPathValidatorException check(
            TlsIdentity leaf, Duration timeout, Option... options) {
        return check(leaf, timeout, List.of(), options);
    }

    private static @Nullable CertPathValidatorException check(
            TlsIdentity leaf, Duration timeout, List<byte[]> stapled, Option... options) {
        RevocationTrust trust =
                new RevocationTrust(
                        List.of(ROOT.certificate()), List.of(), Set.of(options), timeout);
        try {
            trust.check(leaf.chain().toArray(new X509Certificate[0]), "UNKNOWN", true, stapled);
            return null;
        } catch (CertificateException e) {
            return (CertPathValidatorException) e.getCause();
        }
    }

    /// Of a responder that gives no status: it is unknown, and SOFT_FAIL forgives that.
    private static void assertUnknown(String responder, Duration timeout, String why) {
        TlsIdentity leaf = leaf(responder);
        CertPathValidatorException refused = check(leaf, timeout);
        assertThat(refused).isNotNull();
        assertThat(refused.getReason()).isEqualTo(BasicReason.UNDETERMINED_REVOCATION_STATUS);
        assertThat(refused.getCause()).hasMessageContaining(why);
        assertThat(check(leaf, timeout, Option.SOFT_FAIL)).isNull();
        assertThat(check(leaf, timeout, Option.SOFT_FAIL, Option.NO_FALLBACK)).isNull();
        assertThat(check(leaf, timeout, Option.NO_FALLBACK)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void theStatusThatAResponderGivesDecides(String method) {
        String path = method.equals("GET") ? "" : "long".repeat(40);
        try (ScriptedResponder good =
                        new ScriptedResponder(
                                ScriptedResponder.status(ROOT, ScriptedResponder.GOOD));
                ScriptedResponder bad =
                        new ScriptedResponder(
                                ScriptedResponder.status(ROOT, ScriptedResponder.REVOKED))) {
            assertThat(check(leaf(good.uri() + path), LONG)).isNull();
            assertThat(good.asked).hasSize(1).allMatch(line -> line.startsWith(method + " "));
            CertPathValidatorException refused =
                    check(leaf(bad.uri() + path), LONG, Option.SOFT_FAIL);
            assertThat(refused).isNotNull();
            assertThat(refused.getReason()).isEqualTo(BasicReason.REVOKED);
        }
    }

    @Test
    void authoritiesInBetweenAreAskedAboutUnlessOnlyTheEndCounts() {
        try (ScriptedResponder forRoot =
                new ScriptedResponder(ScriptedResponder.status(ROOT, ScriptedResponder.REVOKED))) {
            TlsIdentity between =
                    authority("CN=between").ocspResponder(forRoot.uri()).signedBy(ROOT);
            try (ScriptedResponder good =
                    new ScriptedResponder(
                            ScriptedResponder.status(between, ScriptedResponder.GOOD))) {
                TlsIdentity leaf =
                        CertificateBuilder.subject("CN=leaf")
                                .ocspResponder(good.uri())
                                .signedBy(between);
                CertPathValidatorException refused = check(leaf, LONG);
                assertThat(refused).isNotNull();
                assertThat(refused.getReason()).isEqualTo(BasicReason.REVOKED);
                assertThat(good.asked).isEmpty();
                assertThat(check(leaf, LONG, Option.ONLY_END_ENTITY)).isNull();
                assertThat(good.asked).hasSize(1);
                assertThat(forRoot.asked).hasSize(1);
            }
        }
    }

    @Test
    void whoHasAStatusNeedNotAsk() {
        try (ScriptedResponder never = new ScriptedResponder((request, out) -> {})) {
            TlsIdentity leaf = leaf(never.uri());
            assertThat(check(leaf, LONG, List.of(new byte[] {1, 2, 3}))).isNotNull();
            assertThat(check(leaf, LONG, Option.PREFER_CRLS, Option.NO_FALLBACK)).isNotNull();
            assertThat(never.asked).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Endless: yes", "Transfer-Encoding: chunked"})
    void anEndlessResponseIsNotReadToItsEnd(String field) {
        long most = 64 << 20; // what buffers of the kernel hold is far below
        CompletableFuture<Long> written = new CompletableFuture<>();
        byte[] chunk = new byte[1 << 16];
        byte[] size = "10000\r\n".getBytes(StandardCharsets.US_ASCII);
        boolean chunked = field.endsWith("chunked");
        try (ScriptedResponder endless =
                new ScriptedResponder(
                        (request, out) -> {
                            long sum = 0;
                            try {
                                ScriptedResponder.head(out, "200 OK", field);
                                while (sum < most) {
                                    out.write(chunked ? size : new byte[0]);
                                    out.write(chunk);
                                    out.write(chunked ? new byte[] {13, 10} : new byte[0]);
                                    sum += chunk.length;
                                }
                            } finally {
                                written.complete(sum);
                            }
                        })) {
            assertUnknown(endless.uri(), LONG, "65536");
            assertThat(written.join()).isLessThan(most);
        }
    }

    @Test
    void aResponseThatIsAnnouncedAsTooLongIsNotRead() {
        try (ScriptedResponder long1 =
                new ScriptedResponder(
                        (request, out) ->
                                ScriptedResponder.head(out, "200 OK", "Content-Length: 65537"))) {
            assertUnknown(long1.uri(), LONG, "over 65536 bytes");
        }
    }

    @Test
    void aResponseThatEndsEarlyIsNone() {
        try (ScriptedResponder cut =
                new ScriptedResponder(
                        (request, out) ->
                                ScriptedResponder.head(out, "200 OK", "Content-Length: 100"))) {
            assertUnknown(cut.uri(), LONG, "127.0.0.1");
        }
    }

    @Test
    void aRedirectIsNotFollowed() {
        try (ScriptedResponder inside = new ScriptedResponder((request, out) -> {});
                ScriptedResponder outside =
                        new ScriptedResponder(
                                (request, out) ->
                                        ScriptedResponder.head(
                                                out,
                                                "302 Found",
                                                "Location: " + inside.uri(),
                                                "Content-Length: 0"))) {
            assertUnknown(outside.uri(), LONG, "302");
            assertThat(inside.asked).isEmpty();
        }
    }

    @Test
    void anErrorOfHttpIsNoStatus() {
        try (ScriptedResponder failing =
                new ScriptedResponder(
                        (request, out) -> ScriptedResponder.head(out, "500 Failed"))) {
            assertUnknown(failing.uri(), LONG, "500");
        }
    }

    @Test
    void aResponderThatDripsIsGivenUpAtTheDeadline() {
        AtomicInteger ended = new AtomicInteger();
        CompletableFuture<Integer> sent = new CompletableFuture<>();
        try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                ScriptedResponder drips =
                        new ScriptedResponder((request, out) -> drip(clock, out, sent, ended))) {
            // Each byte comes long before the deadline, the last one long after it.
            assertThat(check(leaf(drips.uri()), Duration.ofMillis(200)))
                    .isNotNull()
                    .extracting(CertPathValidatorException::getReason)
                    .isEqualTo(BasicReason.UNDETERMINED_REVOCATION_STATUS);
            assertThat(sent.join()).as("its connection was closed").isLessThan(10_000);
            clock.shutdownNow();
        }
    }

    private static void drip(
            ScheduledExecutorService clock,
            OutputStream out,
            CompletableFuture<Integer> sent,
            AtomicInteger count)
            throws IOException {
        ScriptedResponder.head(out, "200 OK", "Content-Length: 10000");
        var drops =
                clock.scheduleWithFixedDelay(
                        () -> {
                            try {
                                if (count.get() == 10_000) {
                                    throw new IOException("all is sent");
                                }
                                out.write('0');
                                count.incrementAndGet();
                            } catch (IOException e) {
                                sent.complete(count.get());
                                throw new UncheckedIOException(e);
                            }
                        },
                        0,
                        10,
                        TimeUnit.MILLISECONDS);
        sent.join();
        drops.cancel(false);
    }

    @Test
    void whoCannotBeReachedLeavesTheStatusUnknown() throws Exception {
        try (Socket deaf = new Socket()) {
            // Bound, so that nobody else listens there; without listening itself, it refuses.
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertUnknown(
                    "http://127.0.0.1:" + deaf.getLocalPort() + "/", LONG, "ConnectException");
        }
        try (ScriptedResponder closes = new ScriptedResponder((request, out) -> {})) {
            assertUnknown(closes.uri(), LONG, closes.uri().replaceAll("/$", ": "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/hostname", "ftp://127.0.0.1/", "ldap://127.0.0.1/"})
    void othersThanHttpAreNotAsked(String uri) {
        assertUnknown(uri, LONG, "expected: http or https");
    }

    @Test
    void moreThanSomeAtATimeWait() throws Exception {
        CompletableFuture<Void> go = new CompletableFuture<>();
        CompletableFuture<Void> came = new CompletableFuture<>();
        HttpFetch one = new HttpFetch(1);
        try (ScriptedResponder slow =
                new ScriptedResponder(
                        (request, out) -> {
                            came.complete(null);
                            go.join();
                            ScriptedResponder.ok(out, new byte[] {7});
                        })) {
            URI uri = URI.create(slow.uri() + "AAAA");
            long deadline = System.nanoTime() + LONG.toNanos();
            CompletableFuture<byte[]> first =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return one.fetch(uri, null, 10, deadline);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            came.join();
            assertThatThrownBy(() -> one.fetch(uri, null, 10, System.nanoTime()))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("too many");
            assertThat(slow.asked).hasSize(1);
            go.complete(null);
            assertThat(first.join()).containsExactly(7);
            assertThat(one.fetch(uri, null, 10, deadline)).containsExactly(7);
        }
    }
}
