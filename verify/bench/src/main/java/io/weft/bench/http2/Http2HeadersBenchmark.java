package io.weft.bench.http2;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/// Header fields of HTTP/2 in memory: a whole set is found, made anew, gone through, copied and
/// emptied. Weft's headers are immutable and have no pseudo-header fields, so theirs are left out
/// on both sides.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Http2HeadersBenchmark {
    @State(Scope.Thread)
    public static class Weft {
        @Param HeaderSet set = HeaderSet.THREE;

        private Headers headers = Headers.EMPTY;
        private HeaderName[] names = {};
        private String[] values = {};

        @Setup
        public void make() {
            headers = new WeftHeaders(set).headers();
            names = new HeaderName[headers.size()];
            values = new String[names.length];
            for (int i = 0; i < names.length; i++) {
                names[i] = headers.name(i);
                values[i] = headers.value(i);
            }
        }

        Headers put() {
            HeadersBuilder builder = Headers.builder();
            for (int i = 0; i < names.length; i++) {
                builder.add(names[i], values[i]);
            }
            return builder.build();
        }

        HeadersBuilder remove() {
            HeadersBuilder builder = headers.toBuilder();
            for (HeaderName name : names) {
                builder.remove(name);
            }
            return builder;
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        @Param HeaderSet set = HeaderSet.THREE;

        private @Nullable Http2Headers headers;
        private AsciiString[] texts = {};
        private AsciiString[] names = {};

        @Setup
        public void make() {
            List<AsciiString> all = List.of(NettyHeaders.texts(set));
            int from = 0;
            while (all.get(from).charAt(0) == ':') {
                from += 2;
            }
            texts = all.subList(from, all.size()).toArray(AsciiString[]::new);
            names = new AsciiString[texts.length / 2];
            for (int i = 0; i < names.length; i++) {
                names[i] = texts[i * 2];
            }
            headers = NettyHeaders.fill(new DefaultHttp2Headers(), texts);
        }

        Http2Headers headers() {
            return Objects.requireNonNull(headers);
        }

        Http2Headers put() {
            return NettyHeaders.fill(new DefaultHttp2Headers(), texts);
        }

        Http2Headers addAll() {
            return new DefaultHttp2Headers().add(headers());
        }

        Http2Headers remove() {
            Http2Headers copy = addAll();
            for (AsciiString name : names) {
                copy.remove(name);
            }
            return copy;
        }
    }

    @Benchmark
    public void weftGet(Weft weft, Blackhole hole) {
        for (HeaderName name : weft.names) {
            hole.consume(weft.headers.first(name));
        }
    }

    @Benchmark
    public void nettyGet(Netty netty, Blackhole hole) {
        for (AsciiString name : netty.names) {
            hole.consume(netty.headers().get(name));
        }
    }

    @Benchmark
    public Headers weftPut(Weft weft) {
        return weft.put();
    }

    @Benchmark
    public Http2Headers nettyPut(Netty netty) {
        return netty.put();
    }

    @Benchmark
    public void weftIterate(Weft weft, Blackhole hole) {
        for (Headers.Field field : weft.headers) {
            hole.consume(field);
        }
    }

    @Benchmark
    public void nettyIterate(Netty netty, Blackhole hole) {
        for (Map.Entry<CharSequence, CharSequence> field : netty.headers()) {
            hole.consume(field);
        }
    }

    @Benchmark
    public Headers weftAddAll(Weft weft) {
        return weft.headers.toBuilder().build();
    }

    @Benchmark
    public Http2Headers nettyAddAll(Netty netty) {
        return netty.addAll();
    }

    @Benchmark
    public HeadersBuilder weftRemove(Weft weft) {
        return weft.remove();
    }

    @Benchmark
    public Http2Headers nettyRemove(Netty netty) {
        return netty.remove();
    }
}
