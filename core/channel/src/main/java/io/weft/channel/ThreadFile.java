package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.channel.spi.FileHandle;
import io.weft.loop.Promise;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// A file for loops whose engine has none: a few threads, which all of them share, wait for the disk.
final class ThreadFile implements FileHandle {
    private static final int THREADS = 4;
    private static final int MAX_WAITING = 4096;
    private static final long IDLE_SECONDS = 10;

    /// With the first file. Platform threads: a virtual one would hold its carrier while the disk works.
    private static final class Disk {
        static final ThreadPoolExecutor THREAD_POOL =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        Thread.ofPlatform().daemon().name("weft-files-", 0).factory());

        static {
            THREAD_POOL.allowCoreThreadTimeOut(true);
        }
    }

    private final FileChannel file;

    private ThreadFile(FileChannel file) {
        this.file = file;
    }

    static void open(Path path, Set<OpenOption> options, Promise<FileHandle> opened) {
        run(opened, () -> new ThreadFile(FileChannel.open(path, options)));
    }

    private static <V> void run(Promise<V> promise, Callable<V> operation) {
        try {
            Disk.THREAD_POOL.execute(
                    () -> {
                        try {
                            promise.trySuccess(operation.call());
                        } catch (Throwable e) {
                            promise.tryFailure(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            promise.tryFailure(
                    new RejectedExecutionException(
                            "files: " + MAX_WAITING + " operations wait (expected: fewer)"));
        }
    }

    @Override
    public void read(Buffer into, int length, long position, Promise<Integer> count) {
        run(
                count,
                () ->
                        Math.max(
                                0,
                                file.read(into.byteBuffer(into.writeOffset(), length), position)));
    }

    @Override
    public void write(Buffer from, long position, Promise<Integer> count) {
        run(
                count,
                () ->
                        file.write(
                                from.byteBuffer(from.readOffset(), from.readableBytes()),
                                position));
    }

    @Override
    public void size(Promise<Long> size) {
        run(size, file::size);
    }

    @Override
    public void force(Promise<Void> done) {
        run(
                done,
                () -> {
                    file.force(false);
                    return null;
                });
    }

    /// At once: it does not wait for a disk, and must not be refused.
    @Override
    public void close(Promise<Void> done) {
        try (FileChannel _ = file) {
            done.trySuccess(null);
        } catch (java.io.IOException e) {
            Log.debug("a file failed to close", e);
        }
    }
}
