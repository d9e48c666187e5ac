package io.weft.bench.http2;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;

/// Netty's headers of a set, names and values as `AsciiString`.
final class NettyHeaders {
    private NettyHeaders() {}

    static AsciiString[] texts(HeaderSet set) {
        return set.fields().stream().map(AsciiString::new).toArray(AsciiString[]::new);
    }

    static Http2Headers of(HeaderSet set) {
        return fill(new DefaultHttp2Headers(), texts(set));
    }

    static Http2Headers fill(Http2Headers headers, AsciiString[] texts) {
        for (int i = 0; i < texts.length; i += 2) {
            headers.add(texts[i], texts[i + 1]);
        }
        return headers;
    }
}
