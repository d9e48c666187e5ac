package io.weft.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/// A set of header fields: looked up, made, walked through and emptied. An operation is the whole
/// set.
///
/// Names that are looked up are equal to those that are stored, and not the same objects; fields
/// are removed from a set that has them. Both are otherwise in Netty's benchmark of this name.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class HeadersBenchmark {
    private static final String[][] FIELDS = {
        {"Host", "server.example:8080"},
        {"User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"},
        {"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
        {"Connection", "keep-alive"},
        {"Accept-Encoding", "gzip, deflate, br, zstd"},
        {"Accept-Language", "en-GB,en;q=0.5"},
        {"Content-Type", "application/json"},
        {"Content-Length", "1024"},
        {"Cookie", "session=0123456789abcdef; theme=dark"},
        {"Referer", "https://server.example/start"},
        {"Cache-Control", "no-cache"},
        {"Date", "Mon, 23 Nov 2026 06:00:00 GMT"},
        {"Server", "example"},
        {"ETag", "\"33a64df551425fcc55e4d42a148795d9f25f89d4\""},
        {"Last-Modified", "Mon, 23 Nov 2026 05:00:00 GMT"},
        {"Vary", "Accept-Encoding"},
        {"Strict-Transport-Security", "max-age=31536000"},
        {"X-Frame-Options", "deny"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-XSS-Protection", "0"},
        {"Referrer-Policy", "strict-origin"},
        {"Content-Security-Policy", "default-src 'none'"},
        {"X-Request-Id", "9c7f:1a2b:3c4d:5e6f"},
        {"X-Runtime", "0.012345"},
        {"X-RateLimit-Limit", "5000"},
        {"X-RateLimit-Remaining", "4999"},
        {"X-RateLimit-Reset", "1790000000"},
        {"Access-Control-Allow-Origin", "*"},
        {"Access-Control-Expose-Headers", "ETag, Link, Location"},
        {"Set-Cookie", "a=b; Path=/; Secure; HttpOnly"}
    };

    /// Number of fields of the set.
    @Param({"3", "5", "6", "8", "11", "22", "30"})
    int size = 8;

    private final List<HeaderName> weftNames = new ArrayList<>();
    private final List<AsciiString> nettyNames = new ArrayList<>();
    private final List<AsciiString> nettyValues = new ArrayList<>();
    private final List<AsciiString> nettyKeys = new ArrayList<>();
    private Headers weft = Headers.EMPTY;
    private HttpHeaders netty = new DefaultHttpHeaders();

    @Setup
    public void make() {
        for (int i = 0; i < size; i++) {
            nettyNames.add(new AsciiString(FIELDS[i][0].getBytes(US_ASCII)));
            nettyValues.add(new AsciiString(FIELDS[i][1].getBytes(US_ASCII)));
            nettyKeys.add(new AsciiString(FIELDS[i][0].getBytes(US_ASCII)));
            weftNames.add(HeaderName.of(FIELDS[i][0]));
        }
        weft = weftPut();
        netty = nettyPut();
    }

    @Benchmark
    public void weftGet(Blackhole hole) {
        for (int i = 0; i < size; i++) {
            hole.consume(weft.first(weftNames.get(i)));
        }
    }

    @Benchmark
    public void nettyGet(Blackhole hole) {
        for (int i = 0; i < size; i++) {
            hole.consume(netty.get(nettyKeys.get(i)));
        }
    }

    /// By names that are strings, as applications mostly have them.
    @Benchmark
    public void weftGetByText(Blackhole hole) {
        for (int i = 0; i < size; i++) {
            hole.consume(weft.first(FIELDS[i][0]));
        }
    }

    @Benchmark
    public void nettyGetByText(Blackhole hole) {
        for (int i = 0; i < size; i++) {
            hole.consume(netty.get(FIELDS[i][0]));
        }
    }

    @Benchmark
    public Headers weftPut() {
        HeadersBuilder builder = Headers.builder();
        for (int i = 0; i < size; i++) {
            builder.add(weftNames.get(i), FIELDS[i][1]);
        }
        return builder.build();
    }

    /// With Netty's checks on, as Weft's cannot be switched off.
    @Benchmark
    public HttpHeaders nettyPut() {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (int i = 0; i < size; i++) {
            headers.add(nettyNames.get(i), nettyValues.get(i));
        }
        return headers;
    }

    @Benchmark
    public void weftIterate(Blackhole hole) {
        for (Headers.Field field : weft) {
            hole.consume(field.name());
            hole.consume(field.value());
        }
    }

    @Benchmark
    public void nettyIterate(Blackhole hole) {
        var fields = netty.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            hole.consume(field.getKey());
            hole.consume(field.getValue());
        }
    }

    @Benchmark
    public Headers weftRemove() {
        HeadersBuilder builder = weft.toBuilder();
        for (int i = 0; i < size; i++) {
            builder.remove(weftNames.get(i));
        }
        return builder.build();
    }

    @Benchmark
    public HttpHeaders nettyRemove() {
        HttpHeaders headers = new DefaultHttpHeaders().add(netty);
        for (int i = 0; i < size; i++) {
            headers.remove(nettyKeys.get(i));
        }
        return headers;
    }
}
