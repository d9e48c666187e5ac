package io.weft.http.forms;

import io.weft.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The bytes of one part: in memory, or in a file from when they are too many on.
final class PartContent implements AutoCloseable {
    /// The file and its bytes of the quota. It must not know the content, which it outlives.
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
    private @Nullable ByteArrayOutputStream memory = new ByteArrayOutputStream(0);
    private @Nullable OnDisk disk;
    private Cleaner.@Nullable Cleanable cleanable;
    private volatile boolean closed;

    PartContent(FormStorage storage) {
        this.storage = storage;
    }

    long length() {
        return disk != null ? disk.length : memory == null ? 0 : memory.size();
    }

    /// Tells if it is in memory.
    boolean isInMemory() {
        return disk == null;
    }

    /// Appends the readable bytes.
    void add(Buffer bytes) throws IOException {
        if (disk != null) {
            write(disk, bytes);
        } else if (memory != null) {
            bytes.readBytes(memory, bytes.readableBytes());
        }
    }

    private static void write(OnDisk to, Buffer bytes) throws IOException {
        int length = bytes.readableBytes();
        to.storage.reserve(length);
        to.length += length;
        while (bytes.isReadable()) {
            bytes.readBytes(to.file, bytes.readableBytes());
        }
    }

    /// Moves what there is to a file.
    void toDisk() throws IOException {
        ByteArrayOutputStream before = memory;
        if (before == null) {
            return;
        }
        OnDisk file = new OnDisk(storage.open(), storage);
        disk = file;
        cleanable = OnDisk.CLEANER.register(this, file);
        storage.reserve(before.size());
        file.length = before.size();
        ByteBuffer bytes = ByteBuffer.wrap(before.toByteArray());
        while (bytes.hasRemaining()) {
            file.file.write(bytes);
        }
        memory = null;
    }

    InputStream open() throws IOException {
        check();
        OnDisk file = disk;
        return file == null ? new ByteArrayInputStream(bytes()) : new FileInput(this, file.file);
    }

    byte[] bytes() throws IOException {
        check();
        if (disk == null) {
            return memory == null ? new byte[0] : memory.toByteArray();
        }
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /// Copies it, within the kernel where that can do it.
    void copyTo(FileChannel to) throws IOException {
        check();
        OnDisk file = disk;
        if (file == null) {
            ByteBuffer bytes = ByteBuffer.wrap(bytes());
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
            return;
        }
        for (long at = 0; at < file.length; ) {
            at += file.file.transferTo(at, file.length - at, to);
        }
    }

    /// @throws ClosedChannelException when it is given up
    void check() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public void close() {
        closed = true;
        memory = null;
        if (cleanable != null) {
            cleanable.clean();
        }
    }
}
