package io.weft.tls.openssl;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.machine.spi.TlsSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One side of a connection in memory: an engine of any kind, and what it emitted.
final class Side implements TlsSink, AutoCloseable {
    final TlsEngine engine;
    final List<Integer> recordBuffers = new ArrayList<>();
    final ByteArrayOutputStream data = new ByteArrayOutputStream();
    @Nullable TlsSession completed;
    @Nullable TlsException failure;
    int closes;
    int tasks;

    private final ByteArrayOutputStream outgoing = new ByteArrayOutputStream();
    private final Buffer unread = BufferAllocator.pooled().allocate(256);

    Side(TlsContext context, TlsPeer peer) {
        this(context.engine(peer, BufferAllocator.pooled()));
    }

    Side(TlsEngine engine) {
        this.engine = engine;
    }

    void start() throws TlsException {
        engine.start(this);
    }

    /// Until the engine has read what it can; a failure is kept.
    void deliver(byte[] bytes) {
        unread.writeBytes(bytes);
        try {
            engine.received(unread, this);
            while (engine.needsTask()) {
                Runnable task = engine.task();
                if (task != null) {
                    task.run();
                }
                tasks++;
                engine.resume(this);
                if (!engine.needsTask()) {
                    engine.received(unread, this);
                }
            }
        } catch (TlsException e) {
            failure = e;
        }
    }

    void write(String text) throws TlsException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    void write(byte[] bytes) throws TlsException {
        try (Buffer plaintext = BufferAllocator.pooled().allocate(bytes.length)) {
            engine.write(plaintext.writeBytes(bytes), this);
        }
    }

    byte[] takeOutgoing() {
        byte[] bytes = outgoing.toByteArray();
        outgoing.reset();
        return bytes;
    }

    String text() {
        return data.toString(StandardCharsets.UTF_8);
    }

    int unreadBytes() {
        return unread.readableBytes();
    }

    @Override
    public void records(Buffer ciphertext) {
        recordBuffers.add(ciphertext.readableBytes());
        drain(ciphertext, outgoing);
    }

    @Override
    public void plaintext(Buffer plaintext) {
        drain(plaintext, data);
    }

    private static void drain(Buffer from, ByteArrayOutputStream to) {
        try (from) {
            byte[] bytes = new byte[from.readableBytes()];
            from.readBytes(bytes);
            to.writeBytes(bytes);
        }
    }

    @Override
    public void handshakeComplete(TlsSession session) {
        if (completed != null) {
            throw new AssertionError("complete twice");
        }
        completed = session;
    }

    @Override
    public void closed() {
        closes++;
    }

    @Override
    public void close() {
        engine.close();
        unread.release();
    }
}
