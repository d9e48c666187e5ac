package io.weft.http.forms;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// The one file of a form, for all parts that have no room in memory, one behind the other. It is
/// opened when the first of them needs it: however many parts a form has, it costs one descriptor.
///
/// Thread: one at a time, with its form; [#close] any.
final class FormFile implements AutoCloseable {
    /// The file and its bytes of the quota. It must not know the form's file, which it outlives.
    private static final class OnDisk implements Runnable {
        /// For forms that nobody closed.
        static final Cleaner CLEANER = Cleaner.create();

        final FileChannel file;
        final FormStorage storage;
        long length;

        OnDisk(FileChannel file, FormStorage storage) {
            this.file = file;
            this.storage = storage;
        }

        @Override
        public void run() {
            storage.release(length);
            try {
                file.close();
            } catch (IOException e) {
                System.getLogger("io.weft.http.forms")
                        .log(System.Logger.Level.WARNING, "a temporary file failed to close", e);
            }
        }
    }

    private final FormStorage storage;
    private @Nullable OnDisk disk;
    private Cleaner.@Nullable Cleanable cleanable;

    FormFile(FormStorage storage) {
        this.storage = storage;
    }

    /// Returns the bytes that were written.
    long length() {
        return disk == null ? 0 : disk.length;
    }

    /// Appends the readable bytes.
    void append(Buffer bytes) throws IOException {
        OnDisk to = reserve(bytes.readableBytes());
        while (bytes.isReadable()) {
            bytes.readBytes(to.file, bytes.readableBytes());
        }
    }

    /// Appends the bytes.
    void append(byte[] bytes) throws IOException {
        OnDisk to = reserve(bytes.length);
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            to.file.write(left);
        }
    }

    private OnDisk reserve(int bytes) throws IOException {
        OnDisk to = disk;
        if (to == null) {
            to = new OnDisk(storage.open(), storage);
            disk = to;
            cleanable = OnDisk.CLEANER.register(this, to);
        }
        storage.reserve(bytes);
        to.length += bytes;
        return to;
    }

    /// Reads bytes from `at` on.
    ///
    /// @return their number, -1 at the end of the file
    int read(ByteBuffer to, long at) throws IOException {
        return disk == null ? -1 : disk.file.read(to, at);
    }

    /// Copies a range of it, within the kernel where that can do it.
    void copyTo(WritableByteChannel to, long from, long length) throws IOException {
        OnDisk file = disk;
        for (long at = from; file != null && at < from + length; ) {
            at += file.file.transferTo(at, from + length - at, to);
        }
    }

    @Override
    public void close() {
        if (cleanable != null) {
            cleanable.clean();
        }
    }
}
