package io.weft.eventloop;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.FileHandle;
import io.weft.eventloop.process.Shortage;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A file that is read and written while the loop goes on: by the ring where the loop has one
/// (io_uring), else by a few threads that wait for the disk.
///
/// Every operation names its place in the file, so several may be under way at once, in any order.
/// All methods may be called from any thread; what comes of them is told on the loop. A loop that
/// shuts down closes its files, each after what is under way. Cancelling a read or a write gives up
/// its outcome, not what has been begun.
public final class AsyncFile {
    private static final Set<OpenOption> OPTIONS =
            Set.of(
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.TRUNCATE_EXISTING);

    private final EventLoop loop;
    private final Path path;
    private final Set<OpenOption> options;
    private final FileHandle handle;
    private final Promise<Void> closed;
    private int underWay;
    private boolean closing;

    private AsyncFile(EventLoop loop, Path path, Set<OpenOption> options, FileHandle handle) {
        this.loop = loop;
        this.path = path;
        this.options = options;
        this.handle = handle;
        this.closed = loop.newPromise();
    }

    /// Opens a file for a loop.
    ///
    /// @param options of [StandardOpenOption]: `READ` (which none at all means), `WRITE`, `CREATE`,
    ///     `CREATE_NEW`, `TRUNCATE_EXISTING`
    /// @return the open file; fails with a `NoSuchFileException`, a `FileAlreadyExistsException`,
    ///     an `AccessDeniedException` or another `IOException`, or with a
    ///     `RejectedExecutionException` when the loop takes no more
    /// @throws UnsupportedOperationException for another option
    public static Future<AsyncFile> open(EventLoop loop, Path path, OpenOption... options) {
        Set<OpenOption> wanted =
                options.length == 0 ? Set.of(StandardOpenOption.READ) : Set.of(options);
        for (OpenOption option : wanted) {
            if (!OPTIONS.contains(option)) {
                throw new UnsupportedOperationException(
                        "option: " + option + " (expected: one of " + OPTIONS + ")");
            }
        }
        Promise<AsyncFile> promise = loop.newPromise();
        loop.engine().open(promise, () -> open(loop, path, wanted, promise));
        return promise;
    }

    private static void open(
            EventLoop loop, Path path, Set<OpenOption> options, Promise<AsyncFile> promise) {
        Promise<FileHandle> opened = loop.newPromise();
        OpenFiles.of(loop).opening();
        opened.addListener(
                done -> {
                    Throwable failure = done.cause();
                    if (failure != null) {
                        OpenFiles.of(loop).notOpened();
                        promise.tryFailure(failure);
                        return;
                    }
                    AsyncFile file = new AsyncFile(loop, path, options, done.join());
                    OpenFiles.of(loop).opened(file);
                    if (!loop.engine().isOpen()) {
                        promise.tryFailure(loop.engine().rejection());
                        file.closeNow();
                    } else if (!promise.trySuccess(file)) {
                        file.closeNow();
                    }
                });
        if (!loop.engine().openFile(path, options, opened)) {
            ThreadFile.open(path, options, opened);
        }
    }

    public EventLoop eventLoop() {
        return loop;
    }

    public Path path() {
        return path;
    }

    /// Reads `length` bytes from `position`; fewer only where the file ends, and none at its end.
    ///
    /// @return a buffer that is the caller's to release; fails with an `IOException`, with a
    ///     `ClosedChannelException` when the file is closed, or as the allocator does when memory
    ///     is short
    /// @throws IllegalArgumentException when one is negative
    /// @throws NonReadableChannelException when it was opened without `READ`
    public Future<Buffer> read(long position, int length) {
        requireNotNegative("position", position);
        requireNotNegative("length", length);
        Promise<Buffer> promise = loop.newPromise();
        if (!options.contains(StandardOpenOption.READ)) {
            throw new NonReadableChannelException();
        }
        begin(
                promise,
                () -> read(position, length, BufferAllocator.pooled().allocate(length), promise),
                null);
        return promise;
    }

    private void read(long position, int length, Buffer into, Promise<Buffer> promise) {
        Promise<Integer> part = loop.newPromise();
        part.addListener(
                done -> {
                    int count = done.isSuccess() ? done.join() : 0;
                    into.writeOffset(into.writeOffset() + count);
                    if (count > 0 && count < length && !promise.isDone()) {
                        read(position + count, length - count, into, promise);
                        return;
                    }
                    if (!done.isSuccess() || !promise.trySuccess(into)) {
                        into.release();
                    }
                    ended(promise, done);
                });
        handle.read(into, length, position, part);
    }

    /// Writes all readable bytes of `bytes`, beginning at `position`; a file grows as needed. The
    /// buffer is given away, also when this fails.
    ///
    /// @return done when the system has them all; fails with an `IOException`, or with a
    ///     `ClosedChannelException` when the file is closed
    /// @throws IllegalArgumentException when `position` is negative; the buffer stays the caller's
    ///     then
    /// @throws NonWritableChannelException when it was opened without `WRITE`; the buffer stays the
    ///     caller's then
    public Future<Void> write(long position, Buffer bytes) {
        requireNotNegative("position", position);
        Promise<Void> promise = loop.newPromise();
        if (!options.contains(StandardOpenOption.WRITE)) {
            throw new NonWritableChannelException();
        }
        begin(promise, () -> write(position, bytes, promise), bytes);
        return promise;
    }

    private void write(long position, Buffer bytes, Promise<Void> promise) {
        Promise<Integer> part = loop.newPromise();
        part.addListener(
                done -> {
                    int count = done.isSuccess() ? done.join() : 0;
                    bytes.skipReadable(count);
                    if (count > 0 && bytes.isReadable() && !promise.isDone()) {
                        write(position + count, bytes, promise);
                        return;
                    }
                    bytes.release();
                    ended(promise, done);
                });
        handle.write(bytes, position, part);
    }

    /// Returns the number of bytes that the file has now.
    public Future<Long> size() {
        Promise<Long> promise = loop.newPromise();
        Promise<Long> asked = loop.newPromise();
        asked.addListener(
                done -> {
                    if (done.isSuccess()) {
                        promise.trySuccess(done.join());
                    }
                    ended(promise, done);
                });
        begin(promise, () -> handle.size(asked), null);
        return promise;
    }

    /// Done when what was written before is on the disk.
    public Future<Void> force() {
        Promise<Void> promise = loop.newPromise();
        Promise<Void> asked = loop.newPromise();
        asked.addListener(done -> ended(promise, done));
        begin(promise, () -> handle.force(asked), null);
        return promise;
    }

    /// Closes the file when what is under way has ended. Closing twice changes nothing.
    ///
    /// @return succeeds when it is closed
    public Future<Void> close() {
        if (loop.inLoop()) {
            closeNow();
        } else {
            loop.engine().close(this::closeNow);
        }
        return closed;
    }

    void closeNow() {
        if (!closing) {
            closing = true;
            closeWhenIdle();
        }
    }

    private void closeWhenIdle() {
        if (closing && underWay == 0) {
            Promise<Void> done = loop.newPromise();
            done.addListener(
                    _ -> {
                        OpenFiles.of(loop).closed(this);
                        Shortage.descriptorClosed();
                        closed.trySuccess(null);
                    });
            handle.close(done);
        }
    }

    /// Runs `operation` on the loop, which calls [#ended] when it is over.
    ///
    /// @param given to the operation; released when it does not run
    private void begin(Promise<?> promise, Runnable operation, @Nullable Buffer given) {
        if (loop.inLoop()) {
            beginNow(promise, operation, given);
            return;
        }
        try {
            loop.execute(() -> beginNow(promise, operation, given));
        } catch (RejectedExecutionException e) {
            refuse(promise, e, given);
        }
    }

    private void beginNow(Promise<?> promise, Runnable operation, @Nullable Buffer given) {
        if (closing) {
            refuse(promise, new ClosedChannelException(), given);
            return;
        }
        underWay++;
        try {
            operation.run();
        } catch (Throwable e) {
            underWay--;
            refuse(promise, e, given);
            closeWhenIdle();
        }
    }

    private static void refuse(Promise<?> promise, Throwable cause, @Nullable Buffer given) {
        if (given != null) {
            given.release();
        }
        promise.tryFailure(cause);
    }

    /// The last part of an operation is over.
    private void ended(Promise<?> promise, Future<?> last) {
        underWay--;
        Throwable cause = last.cause();
        if (cause != null) {
            promise.tryFailure(cause);
        } else {
            promise.trySuccess(null);
        }
        closeWhenIdle();
    }

    private static void requireNotNegative(String what, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(what + ": " + value + " (expected: >= 0)");
        }
    }

    @Override
    public String toString() {
        return "AsyncFile[" + path + "]";
    }
}
