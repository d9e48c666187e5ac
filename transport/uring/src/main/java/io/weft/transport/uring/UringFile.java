package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.engine.FileHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Statx;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A file of which the ring opens, reads, writes and closes everything: the kernel waits for the
/// disk on threads of its own.
final class UringFile implements FileHandle {
    /// Mode that the JDK creates files with; the process's umask takes from it.
    private static final int MODE = 0666;

    private final UringEngine engine;
    private final int fd;

    private UringFile(UringEngine engine, int fd) {
        this.engine = engine;
        this.fd = fd;
    }

    static void open(
            UringEngine engine, Path path, Set<OpenOption> options, Promise<FileHandle> opened) {
        String text = path.toString();
        byte[] name = text.getBytes(StandardCharsets.UTF_8);
        long at = Memory.allocate(name.length + 1, 8);
        Memory.copy(name, 0, at, name.length);
        Memory.putByte(at + name.length, (byte) 0);
        // SAFETY: the name stays until the kernel has completed the operation.
        new FileOperation(
                        engine,
                        result -> {
                            Memory.free(at, name.length + 1);
                            if (result < 0) {
                                opened.tryFailure(openFailure(-result, text));
                            } else {
                                opened.trySuccess(new UringFile(engine, result));
                            }
                        })
                .submit(IoUring.IORING_OP_OPENAT, Libc.AT_FDCWD, 0, at, MODE, openFlags(options));
    }

    private static int openFlags(Set<OpenOption> options) {
        boolean reads = options.contains(StandardOpenOption.READ);
        int flags = Libc.O_CLOEXEC;
        if (!options.contains(StandardOpenOption.WRITE)) {
            return flags | Libc.O_RDONLY; // which creates nothing, as with the JDK
        }
        flags |= reads ? Libc.O_RDWR : Libc.O_WRONLY;
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            flags |= Libc.O_CREAT | Libc.O_EXCL;
        } else if (options.contains(StandardOpenOption.CREATE)) {
            flags |= Libc.O_CREAT;
        }
        return options.contains(StandardOpenOption.TRUNCATE_EXISTING)
                ? flags | Libc.O_TRUNC
                : flags;
    }

    private static IOException openFailure(int errno, String path) {
        return switch (errno) {
            case Errno.ENOENT -> new NoSuchFileException(path);
            case Errno.EEXIST -> new FileAlreadyExistsException(path);
            case Errno.EACCES -> new AccessDeniedException(path);
            default -> new FileSystemException(path, null, Errno.describe(errno));
        };
    }

    /// SAFETY: the buffer is the operation's until the promise is done, so its memory stays.
    @Override
    public void read(Buffer into, int length, long position, Promise<Integer> count) {
        operation("read", count, Integer::valueOf)
                .submit(
                        IoUring.IORING_OP_READ,
                        fd,
                        position,
                        into.address() + into.writeOffset(),
                        length,
                        0);
    }

    /// SAFETY: as [#read].
    @Override
    public void write(Buffer from, long position, Promise<Integer> count) {
        operation("write", count, Integer::valueOf)
                .submit(
                        IoUring.IORING_OP_WRITE,
                        fd,
                        position,
                        from.address() + from.readOffset(),
                        from.readableBytes(),
                        0);
    }

    /// @param value what a result that is no failure means
    private <V> FileOperation operation(
            String what, Promise<V> promise, IntFunction<? extends @Nullable V> value) {
        return new FileOperation(
                engine,
                result -> {
                    if (result < 0) {
                        promise.tryFailure(SocketErrors.failure(-result, what));
                    } else {
                        promise.trySuccess(value.apply(result));
                    }
                });
    }

    @Override
    public void size(Promise<Long> size) {
        long at = Memory.allocate(Statx.SIZE + 8L, 8);
        long emptyName = at + Statx.SIZE;
        Memory.putByte(emptyName, (byte) 0);
        // SAFETY: both stay until the kernel has completed the operation.
        new FileOperation(
                        engine,
                        result -> {
                            long found = Memory.getLong(at + Statx.STX_SIZE);
                            Memory.free(at, Statx.SIZE + 8L);
                            if (result < 0) {
                                size.tryFailure(SocketErrors.failure(-result, "statx"));
                            } else {
                                size.trySuccess(found);
                            }
                        })
                .submit(
                        IoUring.IORING_OP_STATX,
                        fd,
                        at,
                        emptyName,
                        Statx.STATX_SIZE,
                        Libc.AT_EMPTY_PATH);
    }

    @Override
    public void force(Promise<Void> done) {
        operation("fsync", done, _ -> null)
                .submit(IoUring.IORING_OP_FSYNC, fd, 0, 0, 0, IoUring.IORING_FSYNC_DATASYNC);
    }

    @Override
    public void close(Promise<Void> done) {
        new FileOperation(engine, _ -> done.trySuccess(null))
                .submit(IoUring.IORING_OP_CLOSE, fd, 0, 0, 0, 0);
    }
}
