package io.weft.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.HttpDate;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// Texts of a head: methods from bytes and strings, queries, cookies and dates.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class TextBenchmark {
    private static final String[] METHODS = {
        "GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "QUERY"
    };
    private static final String TARGET =
            "/a?first=1&second=two%20words&third=%C3%A9&fourth=+4&fifth";
    private static final String COOKIES = "session=0123456789abcdef; theme=dark; lang=en; last=42";
    private static final String DATE = "Mon, 23 Nov 2026 06:00:00 GMT";
    private static final long MILLIS = 1_795_413_600_000L;
    private static final Instant INSTANT = Instant.ofEpochMilli(MILLIS);

    private final Request query = Request.get(TARGET);
    private final Request cookies = Request.get("/").withHeader("cookie", COOKIES);

    @SuppressWarnings("JavaUtilDate") // what Netty formats
    private final Date date = new Date(MILLIS);

    private final Buffer methodBytes = methodBytes();
    private final ByteBuf nettyMethodBytes =
            Unpooled.directBuffer().writeBytes(String.join("", METHODS).getBytes(US_ASCII));
    private final List<String> methodTexts = copies();

    private static Buffer methodBytes() {
        byte[] all = String.join("", METHODS).getBytes(US_ASCII);
        return BufferAllocator.pooled().allocate(all.length).writeBytes(all);
    }

    /// Strings that are not the same objects as those in tables.
    private static List<String> copies() {
        List<String> copies = new ArrayList<>();
        for (String method : METHODS) {
            copies.add(new String(method.getBytes(US_ASCII), US_ASCII));
        }
        return copies;
    }

    @TearDown
    public void release() {
        methodBytes.release();
        nettyMethodBytes.release();
    }

    @Benchmark
    public void weftMethodsFromBytes(Blackhole hole) {
        int at = 0;
        for (String method : METHODS) {
            hole.consume(Method.parse(methodBytes, at, at + method.length()));
            at += method.length();
        }
    }

    /// By way of a string, as Netty's decoder does it.
    @Benchmark
    public void nettyMethodsFromBytes(Blackhole hole) {
        int at = 0;
        for (String method : METHODS) {
            hole.consume(
                    HttpMethod.valueOf(nettyMethodBytes.toString(at, method.length(), US_ASCII)));
            at += method.length();
        }
    }

    @Benchmark
    public void weftMethodsFromText(Blackhole hole) {
        for (String method : methodTexts) {
            hole.consume(Method.of(method));
        }
    }

    @Benchmark
    public void nettyMethodsFromText(Blackhole hole) {
        for (String method : methodTexts) {
            hole.consume(HttpMethod.valueOf(method));
        }
    }

    @Benchmark
    public @Nullable String weftQuery() {
        return query.query().first("third");
    }

    @Benchmark
    public String nettyQuery() {
        return Objects.requireNonNull(new QueryStringDecoder(TARGET).parameters().get("third"))
                .getFirst();
    }

    @Benchmark
    public @Nullable String weftCookie() {
        return cookies.cookie("lang");
    }

    @Benchmark
    public @Nullable String nettyCookie() {
        for (var cookie : ServerCookieDecoder.STRICT.decode(COOKIES)) {
            if (cookie.name().equals("lang")) {
                return cookie.value();
            }
        }
        return null;
    }

    @Benchmark
    public String weftFormatDate() {
        return HttpDate.format(INSTANT);
    }

    @Benchmark
    public String nettyFormatDate() {
        return DateFormatter.format(date);
    }

    @Benchmark
    public @Nullable Instant weftParseDate() {
        return HttpDate.parse(DATE, INSTANT);
    }

    @Benchmark
    public @Nullable Date nettyParseDate() {
        return DateFormatter.parseHttpDate(DATE);
    }
}
