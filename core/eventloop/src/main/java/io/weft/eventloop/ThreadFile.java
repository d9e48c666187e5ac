package io.weft.eventloop;

import static io.weft.eventloop.Log.LOG;

import io.weft.buffer.Buffer;
import io.weft.engine.FileHandle;
import io.weft.eventloop.process.BlockingPool;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/// A file for loops whose engine has none: a few threads, which all of them share, wait for the
/// disk.
final class ThreadFile implements FileHandle {
    private static final BlockingPool DISK = new BlockingPool("files", 4, 4096);

    private final FileChannel file;

    private ThreadFile(FileChannel file) {
        this.file = file;
    }

    static void open(Path path, Set<OpenOption> options, Promise<FileHandle> opened) {
        DISK.run(opened, () -> new ThreadFile(FileChannel.open(path, options)));
    }

    @Override
    public void read(Buffer into, int length, long position, Promise<Integer> count) {
        DISK.run(
                count,
                () ->
                        Math.max(
                                0,
                                file.read(into.byteBuffer(into.writeOffset(), length), position)));
    }

    @Override
    public void write(Buffer from, long position, Promise<Integer> count) {
        DISK.run(
                count,
                () ->
                        file.write(
                                from.byteBuffer(from.readOffset(), from.readableBytes()),
                                position));
    }

    @Override
    public void size(Promise<Long> size) {
        DISK.run(size, file::size);
    }

    @Override
    public void force(Promise<Void> done) {
        DISK.run(
                done,
                () -> {
                    file.force(false);
                    return null;
                });
    }

    /// At once: it does not wait for a disk, and must not be refused.
    @Override
    public void close(Promise<Void> done) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("a file failed to close", e);
        }
        done.trySuccess(null);
    }
}
