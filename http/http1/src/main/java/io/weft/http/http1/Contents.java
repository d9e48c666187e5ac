package io.weft.http.http1;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;

/// Contents in memory behind their heads.
final class Contents {
    private Contents() {}

    /// Writes a content behind its head, which begins at `start`, or neither: half a message would
    /// make one with what comes next.
    static void write(Body.Bytes body, int start, Buffer out) {
        try {
            body.writeTo(out);
        } catch (RuntimeException | Error e) {
            out.writeOffset(start);
            throw e;
        }
    }
}
