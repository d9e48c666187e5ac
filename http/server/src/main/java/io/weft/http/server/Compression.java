package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.compression.Compressor;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateCompressor;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.coding.AcceptedCodings;
import io.weft.http.server.coding.CompressedSource;
import io.weft.http.server.coding.Vary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Compresses answers in the coding that the client likes best (RFC 9110, 12.5.3): gzip and
/// deflate, and others that are added.
///
/// ```java
/// builder.filter(Compression.DEFAULT.withCoding("zstd", ZstdCompressor::new))
/// ```
///
/// A server has none unless it is added, because an answer that has both a secret and text of an
/// attacker tells the secret by its length (BREACH); such answers say `cache-control:
/// no-transform`. Compressed are answers of types that are text, from 1,024 bytes on, without a
/// Content-Encoding or Content-Range of their own, and without a digest of their content (RFC
/// 9530). A strong entity tag becomes a weak one, and Vary is extended.
public final class Compression implements HttpFilter {
    /// gzip, then deflate, for types that are text.
    public static final Compression DEFAULT =
            new Compression(
                    List.of(
                            new Coding("gzip", () -> new DeflateCompressor(Deflate.GZIP)),
                            new Coding("deflate", () -> new DeflateCompressor(Deflate.ZLIB))),
                    Set.of(
                            "application/json",
                            "application/problem+json",
                            "application/javascript",
                            "application/manifest+json",
                            "application/xml",
                            "application/wasm",
                            "image/svg+xml"),
                    1024);

    /// Bodies in memory up to this length are compressed at once, and keep a length.
    private static final int AT_ONCE = 64 << 10;

    private static final List<HeaderName> DIGESTS =
            Stream.of("content-digest", "repr-digest", "digest").map(HeaderName::of).toList();

    private record Coding(String name, Supplier<? extends Compressor> compressor) {}

    private final List<Coding> codings;
    private final Set<String> types;
    private final int minimum;

    private Compression(List<Coding> codings, Set<String> types, int minimum) {
        this.codings = codings;
        this.types = types;
        this.minimum = minimum;
    }

    /// The same with another coding, which is preferred to those before.
    ///
    /// @param name as in Accept-Encoding: `br`, `zstd`
    public Compression withCoding(String name, Supplier<? extends Compressor> compressor) {
        List<Coding> all = new ArrayList<>();
        all.add(new Coding(name, compressor));
        codings.stream().filter(c -> !c.name().equals(name)).forEach(all::add);
        return new Compression(List.copyOf(all), types, minimum);
    }

    /// The same for these media types only, and for all of `text/`.
    public Compression withTypes(Set<String> mediaTypes) {
        return new Compression(codings, Set.copyOf(mediaTypes), minimum);
    }

    /// The same for bodies of at least that many bytes.
    public Compression withMinimum(int bytes) {
        return new Compression(codings, types, bytes);
    }

    @Override
    public Response after(Request request, Response response) {
        if (standsForCompressible(response)) {
            Headers fields = Vary.with(response.headers(), "accept-encoding");
            return response.withHeaders(
                    response.status() == Status.NOT_MODIFIED
                            ? weakened(fields, request.headers())
                            : fields);
        }
        if (!isCompressible(response)) {
            return response;
        }
        Headers varied = Vary.with(response.headers(), "accept-encoding");
        Coding coding = choose(request.headers());
        if (coding == null) {
            return response.withHeaders(varied);
        }
        HeadersBuilder headers =
                varied.toBuilder()
                        .set(HeaderName.CONTENT_ENCODING, coding.name())
                        .remove(HeaderName.CONTENT_LENGTH)
                        .remove(HeaderName.ACCEPT_RANGES);
        String etag = varied.first(HeaderName.ETAG);
        if (etag != null) {
            headers.set(HeaderName.ETAG, weak(etag));
        }
        Body body = compress(response.body(), coding.compressor().get());
        return Response.of(response.status(), headers.build(), body);
    }

    private static String weak(String etag) {
        return etag.startsWith("W/") ? etag : "W/" + etag;
    }

    /// 304 has the tag of the 200 that it stands for, else caches would not take it for that (RFC
    /// 9110, 15.4.5; RFC 9111, 4.3.4). What was not compressed, since it is short, is known by the
    /// strong tag that its client asks with.
    private Headers weakened(Headers fields, Headers asked) {
        String etag = fields.first(HeaderName.ETAG);
        return etag == null || choose(asked) == null || names(asked, etag)
                ? fields
                : fields.with(HeaderName.ETAG, weak(etag));
    }

    private static boolean names(Headers asked, String etag) {
        return asked.all(HeaderName.IF_NONE_MATCH).stream()
                .flatMap(field -> Stream.of(field.split(",", -1)))
                .anyMatch(tag -> tag.strip().equals(etag));
    }

    /// 304 and 206 vary with what the 200 would that they stand for (RFC 9110, 15.3.7 and 15.4.5).
    private boolean standsForCompressible(Response response) {
        Headers headers = response.headers();
        String type = headers.first(HeaderName.CONTENT_TYPE);
        boolean parts = type != null && type.startsWith("multipart/byteranges");
        return (response.status() == Status.PARTIAL_CONTENT
                        || response.status() == Status.NOT_MODIFIED)
                && mayBeCoded(headers)
                && (parts || isText(type));
    }

    private boolean isCompressible(Response response) {
        Headers headers = response.headers();
        Status status = response.status();
        long length = response.body().length();
        return (response.body() instanceof Body.Bytes || response.body() instanceof Body.Stream)
                && (length < 0 || length >= minimum)
                && !status.isWithoutContent()
                && status != Status.PARTIAL_CONTENT
                && !headers.contains(HeaderName.CONTENT_RANGE)
                && mayBeCoded(headers)
                && isText(headers.first(HeaderName.CONTENT_TYPE));
    }

    /// Tells if the fields of an answer leave a coding open: it has none, and no digest, which is
    /// of the content with its coding (RFC 9530, 2 and 3).
    private static boolean mayBeCoded(Headers headers) {
        return !headers.contains(HeaderName.CONTENT_ENCODING)
                && !headers.containsToken(HeaderName.CACHE_CONTROL, "no-transform")
                && DIGESTS.stream().noneMatch(headers::contains);
    }

    private boolean isText(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        int end = contentType.indexOf(';');
        String type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
        String lower = type.toLowerCase(Locale.ROOT);
        return (lower.startsWith("text/") && !lower.equals("text/event-stream"))
                || types.contains(lower);
    }

    /// The coding of the highest weight, of several the one that is preferred here; null for none.
    private @Nullable Coding choose(Headers headers) {
        List<String> fields = headers.all(HeaderName.ACCEPT_ENCODING);
        if (fields.isEmpty()) {
            return null;
        }
        AcceptedCodings accepted = AcceptedCodings.of(fields);
        Coding best = null;
        int weight = accepted.ofIdentity();
        for (Coding coding : codings) {
            int of = accepted.of(coding.name());
            if (of > 0 && (best == null ? of >= weight : of > weight)) {
                best = coding;
                weight = of;
            }
        }
        return best;
    }

    private static Body compress(Body body, Compressor compressor) {
        if (body instanceof Body.Stream stream) {
            return Body.of(new CompressedSource(stream.source(), compressor));
        }
        Body.Bytes bytes = (Body.Bytes) body;
        if (bytes.length() > AT_ONCE) {
            return Body.of(new CompressedSource(Body.concat(List.of(bytes)).source(), compressor));
        }
        try (compressor;
                Buffer in = BufferAllocator.pooled().allocate((int) bytes.length());
                Buffer out = BufferAllocator.pooled().allocate((int) bytes.length() / 2)) {
            bytes.writeTo(in);
            compressor.compress(in, out);
            compressor.finish(out);
            return Body.of(out);
        }
    }
}
