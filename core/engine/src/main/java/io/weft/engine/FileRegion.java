package io.weft.engine;

import static io.weft.engine.Log.LOG;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A part of a file, to be written to a stream. The kernel moves it from the file to the socket
/// where it can (`sendfile`, `transferTo`); elsewhere it is read in pieces of 64 KiB. It goes past
/// all that has to see bytes: handlers that need them, such as TLS, refuse it, and a
/// `ChunkedWriteHandler` sends files through those.
///
/// It counts in the channel's writability, but not against the hard cap, as it takes no memory. A
/// file that turns out shorter than the region fails the write with an [EOFException] and breaks
/// the connection: the peer was told to expect more.
///
/// The writer gives it away and the channel closes it, as with buffers. One thread at a time.
public final class FileRegion implements AutoCloseable {
    private static final int CHUNK = 64 << 10;

    private final Path path;
    private FileChannel file;

    /// Key by which the file system knows the opened file; null if it has no such thing.
    private final @Nullable Object key;

    private long position;
    private long remaining;
    private boolean copied;

    /// Read and not sent yet.
    private @Nullable Buffer chunk;

    /// An engine's own descriptor of the file.
    private @Nullable AutoCloseable descriptor;

    private FileRegion(Path path, FileChannel file, @Nullable Object key, long position) {
        this.path = path;
        this.file = file;
        this.key = key;
        this.position = position;
    }

    /// All of a file, as long as it is now. This may wait for a disk: not on a loop where files are
    /// cold.
    ///
    /// @throws IOException when it cannot be opened
    public static FileRegion open(Path path) throws IOException {
        return open(path, 0, Long.MAX_VALUE);
    }

    /// A part of a file.
    ///
    /// @param position where it begins
    /// @param count how long it is; `Long.MAX_VALUE` for all there is now
    /// @throws IOException when it cannot be opened, or is a directory
    /// @throws IllegalArgumentException when the file does not have that part
    public static FileRegion open(Path path, long position, long count) throws IOException {
        BasicFileAttributes attributes = attributes(path);
        if (attributes != null && attributes.isDirectory()) {
            // It could be opened, but not read.
            throw new FileSystemException(path.toString(), null, "is a directory");
        }
        FileRegion region =
                new FileRegion(
                        path,
                        FileChannel.open(path, StandardOpenOption.READ),
                        keyOf(path, attributes),
                        position);
        try {
            long size = region.uninterrupted(FileChannel::size);
            long length = count == Long.MAX_VALUE ? size - position : count;
            if (position < 0 || length < 0 || length > size - position) {
                throw new IllegalArgumentException(
                        "position: "
                                + position
                                + ", count: "
                                + count
                                + " (expected: within the size "
                                + size
                                + ")");
            }
            region.remaining = length;
            return region;
        } catch (IOException | RuntimeException e) {
            region.close();
            throw e;
        }
    }

    /// Null where nothing tells, and then the file is not opened a second time.
    private static @Nullable Object keyOf(Path path, @Nullable BasicFileAttributes attributes) {
        return attributes != null && path.getFileSystem() == FileSystems.getDefault()
                ? attributes.fileKey()
                : null;
    }

    private static @Nullable BasicFileAttributes attributes(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException e) {
            return null;
        }
    }

    /// Returns the offset in the file of the next byte to be sent.
    public long position() {
        return position;
    }

    /// Bytes that are still to be sent.
    public long remaining() {
        return remaining;
    }

    public Path path() {
        return path;
    }

    // ---- for engines ----

    /// The open file. What an interrupt would close it in is for [#uninterrupted].
    public FileChannel file() {
        return file;
    }

    /// Work on an open file.
    @FunctionalInterface
    public interface Transfer {
        /// @return how many bytes there were
        long of(FileChannel file) throws IOException;
    }

    /// Does what an interrupt of this thread shall not break: a channel of the JDK closes when its
    /// thread is interrupted, before or during a call. The file is opened again then, and the
    /// interrupt kept for later.
    ///
    /// @throws ClosedByInterruptException when the path leads elsewhere by now
    public long uninterrupted(Transfer transfer) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    return transfer.of(file);
                } catch (ClosedByInterruptException e) {
                    openAgain(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void openAgain(ClosedByInterruptException why) throws IOException {
        FileChannel again = FileChannel.open(path, StandardOpenOption.READ);
        if (!isAtPath()) {
            again.close();
            throw why;
        }
        file = again;
    }

    /// Tells if the path still leads to the file that was opened.
    public boolean isAtPath() {
        return key != null && key.equals(keyOf(path, attributes(path)));
    }

    /// Returns what an engine has opened for itself, to be closed with this; null if there is
    /// nothing.
    public @Nullable AutoCloseable descriptor() {
        return descriptor;
    }

    public void descriptor(AutoCloseable opened) {
        descriptor = opened;
    }

    /// The engine cannot send this file by itself: from now on [StreamHandle#send] gets it in
    /// pieces.
    public void copy() {
        copied = true;
    }

    /// Makes the failure for a file that has no byte at [#position].
    public EOFException ended() {
        return new EOFException(
                path + ": ends at " + position + " (expected: " + remaining + " bytes more)");
    }

    // ---- for the outbound queue ----

    /// Tells if [#copy] was called: pieces are read and sent as buffers.
    public boolean isCopied() {
        return copied;
    }

    /// Returns the piece that was read last, which stays this region's.
    ///
    /// @throws IllegalStateException before [#fill]
    public Buffer chunk() {
        if (chunk == null) {
            throw new IllegalStateException("chunk: none (expected: filled)");
        }
        return chunk;
    }

    /// Reads a piece, unless there is one.
    ///
    /// @throws IOException when it cannot be read, or the file ends before the region
    public void fill() throws IOException {
        if (chunk != null) {
            return;
        }
        int length = (int) Math.min(CHUNK, remaining);
        Buffer bytes = BufferAllocator.pooled().allocate(length);
        try {
            int read =
                    (int) uninterrupted(open -> open.read(bytes.byteBuffer(0, length), position));
            if (read <= 0) {
                throw ended();
            }
            chunk = bytes.writeOffset(read);
        } finally {
            if (chunk == null) {
                bytes.release();
            }
        }
    }

    /// Moves on by what was sent, of the piece or by the engine.
    public void sent(int bytes) {
        position += bytes;
        remaining -= bytes;
        if (chunk != null) {
            chunk.skipReadable(bytes);
            if (!chunk.isReadable()) {
                chunk.release();
                chunk = null;
            }
        }
    }

    /// Closes the file. Closing twice changes nothing.
    @Override
    public void close() {
        try (AutoCloseable _ = descriptor;
                FileChannel _ = file) {
            if (chunk != null) {
                chunk.release();
                chunk = null;
            }
            descriptor = null;
        } catch (Exception e) {
            LOG.debug("a file failed to close", e);
        }
    }

    @Override
    public String toString() {
        return "FileRegion[" + path + ", " + position + " + " + remaining + "]";
    }
}
