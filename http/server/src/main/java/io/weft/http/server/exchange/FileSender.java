package io.weft.http.server.exchange;

import io.weft.engine.FileRegion;
import io.weft.http.model.BodySource;
import io.weft.http.model.FileSource;
import io.weft.http.model.Headers;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Sends a part of a file by the kernel. A file that is not open is opened on a virtual thread,
/// since that may wait for a disk.
final class FileSender implements Sender {
    private final Exchange exchange;
    private final ExchangeWire wire;
    private final BodySource source;
    private boolean done;

    private FileSender(Exchange exchange, ExchangeWire wire, BodySource source) {
        this.exchange = exchange;
        this.wire = wire;
        this.source = source;
    }

    /// Returns null for a source that is no file.
    static @Nullable FileSender of(Exchange exchange, ExchangeWire wire, BodySource source) {
        return source instanceof FileSource || source instanceof OpenedFile
                ? new FileSender(exchange, wire, source)
                : null;
    }

    @Override
    public void start() {
        FileRegion opened = source instanceof OpenedFile file ? file.take() : null;
        if (opened != null) {
            send(opened);
        } else if (source instanceof FileSource file) {
            Thread.ofVirtual().name("weft-file").start(() -> open(file));
        } else {
            fail(new IOException("file: closed (expected: open)"));
        }
    }

    private void open(FileSource file) {
        try {
            FileRegion region = FileRegion.open(file.path(), file.position(), file.length());
            onLoop(() -> send(region), region);
        } catch (IOException | RuntimeException | Error e) {
            onLoop(() -> fail(e), null);
        }
    }

    private void onLoop(Runnable task, @Nullable FileRegion region) {
        try {
            wire.eventLoop().executeUnbounded(task);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
            if (region != null) {
                region.close();
            }
        }
    }

    private void send(FileRegion region) {
        if (done) {
            region.close();
            return;
        }
        done = true;
        try {
            exchange.sent(region.remaining());
            wire.file(region);
            wire.end(Headers.EMPTY);
        } catch (RuntimeException | Error e) {
            exchange.bodyFailed(e);
            return;
        }
        exchange.bodySent();
    }

    private void fail(Throwable cause) {
        if (!done) {
            done = true;
            exchange.bodyFailed(cause);
        }
    }

    /// The outbound queue has it, and waits for the client by itself.
    @Override
    public void pump() {}

    @Override
    public void close() {
        done = true;
    }
}
