package io.weft.http.forms;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The bytes of a range of a file, with a position of its own: several may read the same file.
final class FileInput extends InputStream {
    /// Kept, so that the file stays open as long as this is used.
    private final PartContent content;

    private final FormFile file;
    private final long end;
    private long at;

    FileInput(PartContent content, FormFile file, long from, long end) {
        this.content = content;
        this.file = file;
        this.at = from;
        this.end = end;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        content.check();
        if (length == 0) {
            return 0;
        }
        if (at >= end) {
            return -1;
        }
        int most = (int) Math.min(length, end - at);
        int got = file.read(ByteBuffer.wrap(to, offset, most), at);
        at += Math.max(got, 0);
        return got;
    }

    @Override
    public int available() throws IOException {
        content.check();
        return (int) Math.min(Integer.MAX_VALUE, end - at);
    }
}
