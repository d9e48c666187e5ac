package io.weft.http.forms;

import io.weft.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The bytes of one part: in memory, or a range of the form's file from when they are too many on.
/// The parts of a form come one after the other, so that nothing comes between the bytes of one.
final class PartContent implements AutoCloseable {
    private final FormFile file;
    private @Nullable ByteArrayOutputStream memory = new ByteArrayOutputStream(0);

    /// In the file, once it is there; else -1.
    private long start = -1;

    private long onDisk;
    private volatile boolean closed;

    PartContent(FormFile file) {
        this.file = file;
    }

    long length() {
        return start >= 0 ? onDisk : memory == null ? 0 : memory.size();
    }

    /// Tells if it is in memory.
    boolean isInMemory() {
        return start < 0;
    }

    /// Appends the readable bytes.
    void add(Buffer bytes) throws IOException {
        if (start >= 0) {
            int length = bytes.readableBytes();
            file.append(bytes);
            onDisk += length;
        } else if (memory != null) {
            bytes.readBytes(memory, bytes.readableBytes());
        }
    }

    /// Moves what there is to the file.
    void toDisk() throws IOException {
        ByteArrayOutputStream before = memory;
        if (before == null) {
            return;
        }
        start = file.length();
        file.append(before.toByteArray());
        onDisk = before.size();
        memory = null;
    }

    InputStream open() throws IOException {
        check();
        return start < 0
                ? new ByteArrayInputStream(bytes())
                : new FileInput(this, file, start, start + onDisk);
    }

    byte[] bytes() throws IOException {
        check();
        if (start < 0) {
            return memory == null ? new byte[0] : memory.toByteArray();
        }
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /// Copies it, within the kernel where that can do it.
    void copyTo(FileChannel to) throws IOException {
        check();
        if (start >= 0) {
            file.copyTo(to, start, onDisk);
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(bytes());
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /// @throws ClosedChannelException when it is given up
    void check() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /// Gives the bytes in memory up. The file is the form's to close.
    @Override
    public void close() {
        closed = true;
        memory = null;
    }
}
