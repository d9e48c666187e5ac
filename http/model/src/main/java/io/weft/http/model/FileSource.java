package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A part of a file as a body. A wire may send it without reading it here, by [#path]; what reads
/// it does so on virtual threads.
public final class FileSource implements BodySource {
    private final Path path;
    private final long position;
    private final long length;
    private final InputStreamSource stream;
    private long left;

    /// @param position where the part begins
    /// @param length bytes; a file that is shorter fails the body
    /// @throws IllegalArgumentException when one is negative
    public FileSource(Path path, long position, long length) {
        if (position < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "position: " + position + ", length: " + length + " (expected: >= 0)");
        }
        this.path = path;
        this.position = position;
        this.length = length;
        this.left = length;
        this.stream = new InputStreamSource(this::openFile);
    }

    public Path path() {
        return path;
    }

    public long position() {
        return position;
    }

    public long length() {
        return length;
    }

    private InputStream openFile() throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        file.position(position);
        return Channels.newInputStream(file);
    }

    /// Opens the file for [#read] now, on a thread that may block, so that a file which cannot be
    /// opened is known before anything is said of it. From then on it has to be [closed][#close].
    ///
    /// Thread: any, before it is read.
    ///
    /// @throws IOException when the file cannot be opened
    public void open() throws IOException {
        stream.open();
    }

    @Override
    public Step read(Buffer out) throws IOException {
        if (left == 0) {
            return Step.END;
        }
        int before = out.readableBytes();
        Step step = stream.read(out);
        long got = (long) out.readableBytes() - before;
        if (got > left) {
            out.writeOffset(out.writeOffset() - (int) (got - left)); // the file has grown
            got = left;
        }
        left -= got;
        if (step == Step.END && left > 0) {
            throw new EOFException(
                    path + ": " + left + " bytes missing (expected: " + length + ")");
        }
        return left == 0 ? Step.END : step;
    }

    @Override
    public void onWake(Runnable wake) {
        stream.onWake(wake);
    }

    @Override
    public void close() {
        stream.close();
    }
}
