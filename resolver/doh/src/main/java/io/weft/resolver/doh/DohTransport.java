package io.weft.resolver.doh;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsRecord;
import io.weft.http.client.HttpClient;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.dns.DnsServer;
import io.weft.resolver.dns.DnsTransport;
import io.weft.resolver.dns.Padding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// DNS over HTTPS (RFC 8484): each query is a request. The HTTP client checks the server, and keeps
/// connections.
///
/// The name in the URI must not be one that needs this transport to be found: give an address, or a
/// client whose bootstrap has another resolver.
///
/// **Privacy.** Queries are padded (RFC 8467), and have no header fields but those of the client
/// and `Accept`.
public final class DohTransport implements DnsTransport {
    /// The media type of messages.
    public static final String MEDIA_TYPE = "application/dns-message";

    private static final int MAX_MESSAGE = 65_535;

    private final HttpClient client;
    private final String uri;
    private final boolean post;

    private DohTransport(HttpClient client, String uri, boolean post) {
        this.client = client;
        this.uri = uri;
        this.post = post;
    }

    /// Sends queries by POST, which no cache of HTTP answers.
    ///
    /// @param client stays the caller's
    /// @param uri as `https://dns.example/dns-query`, or a template that ends with `{?dns}`
    /// @throws IllegalArgumentException unless it is of https
    public static DohTransport post(HttpClient client, String uri) {
        return new DohTransport(client, checked(uri), true);
    }

    /// Sends queries by GET, which caches of HTTP may answer. The query is in the URI then, and so
    /// perhaps in logs.
    ///
    /// @param client stays the caller's
    /// @param uri as that of [#post]
    /// @throws IllegalArgumentException unless it is of https
    public static DohTransport get(HttpClient client, String uri) {
        return new DohTransport(client, checked(uri), false);
    }

    private static String checked(String template) {
        String uri =
                template.endsWith("{?dns}")
                        ? template.substring(0, template.length() - "{?dns}".length())
                        : template;
        // RFC 8484, 5: https, and nothing else.
        if (!uri.toLowerCase(Locale.ROOT).startsWith("https://")
                || uri.indexOf('{') >= 0
                || uri.indexOf('?') >= 0
                || uri.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "uri: " + template + " (expected: https://HOST/PATH, or with {?dns} behind)");
        }
        return uri;
    }

    /// A server that is reached by this.
    public DnsServer server() {
        return new DnsServer.Custom(uri, this);
    }

    @Override
    public Future<DnsMessage> exchange(DnsMessage query, EventExecutor executor) {
        Promise<DnsMessage> promise = executor.newPromise();
        // RFC 8484, 4.1: the id 0, so that equal queries are equal requests.
        byte[] message = encoded(Padding.query(query.id(0)));
        CompletableFuture<StreamedResponse> sent;
        try {
            sent = client.openAsync(request(message));
        } catch (RuntimeException e) {
            return promise.setFailure(e);
        }
        var _ =
                sent.whenComplete(
                        (response, failure) -> {
                            if (failure == null) {
                                collect(response, promise);
                            } else {
                                promise.tryFailure(unwrapped(failure));
                            }
                        });
        var _ = promise.addListener(outcome -> cancelled(outcome, () -> sent.cancel(true)));
        return promise;
    }

    private static void cancelled(Future<DnsMessage> outcome, Runnable then) {
        if (outcome.isCancelled()) {
            then.run();
        }
    }

    /// Takes the body, if the head is that of a message: up to the longest that there is.
    private void collect(StreamedResponse response, Promise<DnsMessage> promise) {
        var _ = promise.addListener(outcome -> cancelled(outcome, response::close));
        try {
            requireMessage(response.status(), response.headers());
        } catch (IOException e) {
            response.close();
            promise.tryFailure(e);
            return;
        }
        var _ =
                response.collect(MAX_MESSAGE)
                        .whenComplete(
                                (whole, failure) -> {
                                    if (failure != null) {
                                        promise.tryFailure(unwrapped(failure));
                                        return;
                                    }
                                    try {
                                        promise.trySuccess(message(whole));
                                    } catch (RuntimeException e) {
                                        promise.tryFailure(e);
                                    }
                                });
    }

    private Request request(byte[] message) {
        Request request =
                post
                        ? Request.post(uri, Body.of(message))
                                .withHeader(HeaderName.CONTENT_TYPE, MEDIA_TYPE)
                        : Request.get(
                                uri
                                        + "?dns="
                                        + Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(message));
        return request.withHeader(HeaderName.ACCEPT, MEDIA_TYPE);
    }

    private static byte[] encoded(DnsMessage message) {
        try (Output out = new Output()) {
            DnsEncoder.datagrams(MAX_MESSAGE).encode(message, out);
            byte[] octets = new byte[(int) out.size()];
            out.drain(
                    buffer -> {
                        try (buffer) {
                            buffer.readBytes(octets, 0, buffer.readableBytes());
                        }
                    });
            return octets;
        }
    }

    private void requireMessage(Status status, Headers headers) throws IOException {
        // RFC 8484, 4.2.1: any success with a message is a response, whatever its response code.
        if (status.code() < 200 || status.code() > 299) {
            throw new IOException(uri + ": status " + status + " (expected: 200)");
        }
        String type = Objects.requireNonNullElse(headers.first(HeaderName.CONTENT_TYPE), "");
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase(MEDIA_TYPE)) {
            throw new IOException(
                    uri + ": content of " + shown(type) + " (expected: " + MEDIA_TYPE + ")");
        }
    }

    private static DnsMessage message(Response response) {
        byte[] octets = response.body() instanceof Body.Bytes b ? b.toByteArray() : new byte[0];
        try (Buffer in = BufferAllocator.pooled().allocate(Math.max(octets.length, 1))) {
            in.writeBytes(octets);
            return aged(
                    DnsDecoder.datagrams().message(in), response.headers().first(HeaderName.AGE));
        }
    }

    private static String shown(String type) {
        String start = type.length() > 60 ? type.substring(0, 60) + "..." : type;
        return start.isEmpty() ? "no type" : start.replaceAll("[^ -~]", "?");
    }

    /// RFC 8484, 5.1: the time that a cache of HTTP has kept the response counts.
    private static DnsMessage aged(DnsMessage message, @Nullable String age) {
        if (age == null || !age.matches("[0-9]{1,64}") || age.equals("0")) {
            return message;
        }
        int seconds = age.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(age);
        return message.sections(
                aged(message.answers(), seconds),
                aged(message.authorities(), seconds),
                aged(message.additionals(), seconds));
    }

    private static List<DnsRecord> aged(List<DnsRecord> section, int seconds) {
        List<DnsRecord> aged = new ArrayList<>(section.size());
        for (DnsRecord r : section) {
            aged.add(
                    new DnsRecord(
                            r.name(), r.recordClass(), Math.max(0, r.ttl() - seconds), r.data()));
        }
        return aged;
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null
                ? cause
                : failure instanceof CancellationException
                        ? new IOException("cancelled", failure)
                        : failure;
    }

    @Override
    public String toString() {
        return uri + (post ? " (POST)" : " (GET)");
    }
}
