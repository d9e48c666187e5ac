package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelPipeline;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.http2.Preface;
import io.weft.tls.machine.TlsSession;

/// The wire of a connection by its first bytes: those that HTTP/2 begins with (RFC 9113, 3.3),
/// which are no request of HTTP/1.1, or others. So clients are served who have agreed on `h2` by
/// ALPN, and those who know.
enum WireChoice {
    HTTP1,
    HTTP2,
    /// The bytes may be the beginning of a preface: more are needed.
    OPEN,
    /// An answer would be of no use.
    NONE;

    /// Bytes in which the end of a first line is looked for that may be no HTTP.
    private static final int MAX_LINE = 128;

    static WireChoice of(Buffer first, ChannelPipeline pipeline) {
        int matching = Preface.match(first);
        if (matching >= 0) {
            return matching == Preface.LENGTH ? HTTP2 : OPEN;
        }
        // RFC 9113, 3.4: a preface that is invalid ends the connection.
        return isAgreed(pipeline) || isForeign(first) ? NONE : HTTP1;
    }

    /// Tells if the client has agreed on HTTP/2 by ALPN.
    private static boolean isAgreed(ChannelPipeline pipeline) {
        TlsHandler tls = pipeline.get(TlsHandler.class);
        TlsSession session = tls == null ? null : tls.session();
        return session != null && "h2".equals(session.applicationProtocol());
    }

    /// Tells if the first line has three words, as a request line has, the last of which names no
    /// version of HTTP: an answer in HTTP/1.1 would be of no use.
    private static boolean isForeign(Buffer in) {
        int words = 1;
        int start = in.readOffset();
        int end = Math.min(in.writeOffset(), start + MAX_LINE);
        int last = start;
        for (int i = start; i < end; i++) {
            int b = in.getByte(i);
            if (b == '\r' || b == '\n') {
                return words == 3 && !startsWithHttp(in, last, i);
            }
            if (b == ' ') {
                words++;
                last = i + 1;
            }
        }
        return false;
    }

    private static boolean startsWithHttp(Buffer in, int from, int to) {
        String http = "HTTP/";
        for (int i = 0; i < http.length(); i++) {
            if (from + i >= to || (in.getByte(from + i) & ~0x20) != (http.charAt(i) & ~0x20)) {
                return false;
            }
        }
        return true;
    }
}
