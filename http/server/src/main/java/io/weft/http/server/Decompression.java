package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateDecompressor;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.coding.DecompressedSource;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Expands the bodies of requests (RFC 9110, 8.4): gzip and deflate, and codings that are added.
///
/// ```java
/// builder.filter(Decompression.DEFAULT.withCoding("zstd", ZstdDecompressor::new))
/// ```
///
/// A server has none unless it is added: a handler then gets bodies as they came, with their
/// Content-Encoding. With it, a body of another coding, or of several, is refused with 415 and the
/// codings that are served (RFC 9110, 12.5.3), one that expands beyond the limits with 413, and a
/// malformed one with 400. Bodies that are streams expand as they are read; what a handler gets
/// whole is expanded in memory, up to [#withInMemory].
///
/// Handlers get such a request without Content-Encoding and Content-Length.
public final class Decompression implements HttpFilter {
    /// gzip and deflate, to 64 MiB and 100 times their length at most (see [DecompressionLimits]),
    /// and to 1 MiB in memory.
    public static final Decompression DEFAULT =
            new Decompression(codings(), DecompressionLimits.DEFAULT, 1 << 20);

    private static final int PIECE = 16 << 10;

    private final Map<String, Function<DecompressionLimits, Decompressor>> codings;
    private final DecompressionLimits limits;
    private final int inMemory;

    private Decompression(
            Map<String, Function<DecompressionLimits, Decompressor>> codings,
            DecompressionLimits limits,
            int inMemory) {
        this.codings = codings;
        this.limits = limits;
        this.inMemory = inMemory;
    }

    private static Map<String, Function<DecompressionLimits, Decompressor>> codings() {
        Map<String, Function<DecompressionLimits, Decompressor>> codings = new LinkedHashMap<>();
        codings.put("gzip", limits -> new DeflateDecompressor(Deflate.GZIP, limits));
        codings.put("deflate", limits -> new DeflateDecompressor(Deflate.AUTO, limits));
        return codings;
    }

    /// The same with another coding.
    ///
    /// @param name as in Content-Encoding: `br`, `zstd`
    public Decompression withCoding(
            String name, Function<DecompressionLimits, Decompressor> decompressor) {
        var all = new LinkedHashMap<>(codings);
        all.put(name.toLowerCase(Locale.ROOT), decompressor);
        return new Decompression(all, limits, inMemory);
    }

    /// The same with other limits.
    public Decompression withLimits(DecompressionLimits other) {
        return new Decompression(codings, other, inMemory);
    }

    /// The same for bodies in memory of so many bytes, expanded, at most.
    ///
    /// @throws IllegalArgumentException unless positive
    public Decompression withInMemory(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("inMemory: " + bytes + " (expected: > 0)");
        }
        return new Decompression(codings, limits, bytes);
    }

    @Override
    public @Nullable Response before(Request request) {
        String coding = coding(request.headers());
        if (coding == null || codings.containsKey(coding)) {
            return null;
        }
        return Response.problem(
                        Status.UNSUPPORTED_MEDIA_TYPE, "content-encoding: not one of those served")
                .withHeader(HeaderName.ACCEPT_ENCODING, String.join(", ", codings.keySet()));
    }

    /// The coding of a request; null for none.
    private static @Nullable String coding(Headers headers) {
        if (!headers.contains(HeaderName.CONTENT_ENCODING)) {
            return null;
        }
        List<String> fields = headers.all(HeaderName.CONTENT_ENCODING);
        String coding = String.join(",", fields).strip().toLowerCase(Locale.ROOT);
        return switch (coding) {
            case "", "identity" -> null;
            case "x-gzip" -> "gzip"; // RFC 9110, 8.4.1.3
            default -> coding;
        };
    }

    @Override
    public Request adapt(Request request) throws IOException {
        String coding = coding(request.headers());
        Body body = request.body();
        if (coding == null || body instanceof Body.Empty || body instanceof Body.Tunnel) {
            return request;
        }
        Function<DecompressionLimits, Decompressor> format = codings.get(coding);
        if (format == null) {
            throw new IllegalStateException("content-encoding: " + coding + " (expected: served)");
        }
        Headers headers =
                request.headers()
                        .without(HeaderName.CONTENT_ENCODING)
                        .without(HeaderName.CONTENT_LENGTH);
        Body expanded =
                body instanceof Body.Stream stream
                        ? Body.of(source(stream.source(), format, limits))
                        : whole((Body.Bytes) body, format);
        return request.withHeaders(headers).withBody(expanded);
    }

    private static BodySource source(
            BodySource from,
            Function<DecompressionLimits, Decompressor> format,
            DecompressionLimits within) {
        Supplier<Decompressor> supplier = () -> format.apply(within);
        return new DecompressedSource(from, supplier, within.total());
    }

    private Body whole(Body.Bytes body, Function<DecompressionLimits, Decompressor> format)
            throws IOException {
        DecompressionLimits within = limits.total(Math.min(limits.total(), inMemory));
        BodySource source = source(Body.concat(List.of(body)).source(), format, within);
        try (Buffer out = BufferAllocator.pooled().allocate(PIECE)) {
            while (source.read(out) != BodySource.Step.END) {
                out.ensureWritable(PIECE);
            }
            return Body.of(out);
        } finally {
            source.close();
        }
    }
}
