package io.weft.http.forms;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/// The bytes of a file from its start, with a position of its own: several may read the same file.
final class FileInput extends InputStream {
    /// Kept, so that the file stays open as long as this is used.
    private final PartContent content;

    private final FileChannel file;
    private long at;

    FileInput(PartContent content, FileChannel file) {
        this.content = content;
        this.file = file;
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
        int got = length == 0 ? 0 : file.read(ByteBuffer.wrap(to, offset, length), at);
        at += Math.max(got, 0);
        return got;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, file.size() - at));
    }
}
