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
    private final FileSource source;

    /// Null if it is still to be opened.
    private final @Nullable FileRegion opened;

    private boolean done;

    private FileSender(
            Exchange exchange, ExchangeWire wire, FileSource source, @Nullable FileRegion opened) {
        this.exchange = exchange;
        this.wire = wire;
        this.source = source;
        this.opened = opened;
    }

    /// Takes a file over if it is open already.
    ///
    /// @return null for a source that is no file
    static @Nullable FileSender of(Exchange exchange, ExchangeWire wire, BodySource source) {
        return switch (source) {
            case FileSource file -> new FileSender(exchange, wire, file, null);
            case OpenedFile file -> new FileSender(exchange, wire, file.source(), file.take());
            default -> null;
        };
    }

    @Override
    public void start() {
        if (opened != null) {
            send(opened);
        } else {
            Thread.ofVirtual().name("weft-file").start(this::open);
        }
    }

    private void open() {
        try {
            FileRegion region = FileRegion.open(source.path(), source.position(), source.length());
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
