package io.weft.http.server.coding;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;

/// A body in memory as a source.
public final class BytesSource implements BodySource {
    private final Body.Bytes bytes;
    private int at;

    public BytesSource(Body.Bytes bytes) {
        this.bytes = bytes;
    }

    @Override
    public Step read(Buffer out) {
        int length = (int) Math.min(bytes.length() - at, out.writableBytes());
        bytes.writeTo(out, at, length);
        at += length;
        return at == bytes.length() ? Step.END : Step.MORE;
    }
}
