package io.weft.http.rtsp;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;

/// Encodes messages. CSeq and Content-Length are made here, in the place of those that the headers
/// have. Without state, so one serves any number of connections.
public final class RtspEncoder implements Encoder<RtspMessage> {
    private static final int HEAD = 64;
    private static final short CRLF = '\r' << 8 | '\n';

    public RtspEncoder() {}

    /// @throws IllegalArgumentException for data longer than [RtspData#MAX_LENGTH]
    @Override
    public void encode(RtspMessage message, Output out) {
        switch (message) {
            case RtspData data -> data(data, out);
            case RtspRequest r -> {
                String line = r.method() + " " + r.uri() + " " + r.version();
                message(line, r.cseq(), r.headers(), r.body(), out);
            }
            case RtspResponse r -> {
                String line =
                        r.version() + " " + r.status().code() + " " + RtspStatus.reason(r.status());
                message(line, r.cseq(), r.headers(), r.body(), out);
            }
        }
    }

    private static void message(String line, long cseq, Headers headers, Body body, Output out) {
        Headers others = headers.without(RtspHeader.CSEQ).without(HeaderName.CONTENT_LENGTH);
        int content = (int) body.length();
        int room = line.length() + HEAD + others.sectionLength() + 2 * others.size() + content;
        Buffer to = out.buffer(room);
        to.writeAscii(line).writeShort(CRLF);
        to.writeAscii("CSeq: ").writeAscii(Long.toString(cseq)).writeShort(CRLF);
        others.writeTo(to);
        if (content > 0) {
            to.writeAscii("Content-Length: ").writeAscii(Integer.toString(content));
            to.writeShort(CRLF);
        }
        to.writeShort(CRLF);
        if (body instanceof Body.Bytes bytes) {
            bytes.writeTo(to);
        }
    }

    private static void data(RtspData data, Output out) {
        Buffer payload = data.payload();
        int length = payload.readableBytes();
        boolean passed = false;
        try {
            if (length > RtspData.MAX_LENGTH) {
                throw new IllegalArgumentException(
                        "payload: " + length + " bytes (expected: at most 65535)");
            }
            out.buffer(4).writeByte('$').writeByte(data.channel()).writeShort(length);
            passed = true;
            out.add(payload);
        } finally {
            if (!passed) {
                payload.release();
            }
        }
    }
}
