package io.weft.bench.fairness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that pipeline requests without end, on one thread of their own.
final class Flood implements AutoCloseable {
    private static final byte[] REQUESTS =
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2048).getBytes(US_ASCII);

    private final Selector selector = Selector.open();
    private final ByteBuffer received = ByteBuffer.allocateDirect(256 << 10);
    private final Thread thread;
    private volatile boolean ended;
    private final AtomicLong bytesReceived = new AtomicLong();

    /// @param reading whether they take the answers
    Flood(SocketAddress server, int clients, boolean reading) throws IOException {
        int interest = SelectionKey.OP_WRITE | (reading ? SelectionKey.OP_READ : 0);
        for (int i = 0; i < clients; i++) {
            SocketChannel client = SocketChannel.open(server);
            client.configureBlocking(false);
            ByteBuffer requests = ByteBuffer.allocateDirect(REQUESTS.length).put(REQUESTS).flip();
            client.register(selector, interest, requests);
        }
        thread = Thread.ofPlatform().name("flood").start(this::run);
    }

    long bytesReceived() {
        return bytesReceived.get();
    }

    private void run() {
        try {
            while (!ended) {
                selector.select(this::serve, 100);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the flood broke", e);
        }
    }

    private void serve(SelectionKey key) {
        SocketChannel client = (SocketChannel) key.channel();
        try {
            if (key.isReadable()) {
                int length = client.read(received.clear());
                if (length < 0) {
                    client.close();
                    return;
                }
                bytesReceived.addAndGet(length);
            }
            if (key.isWritable()) {
                ByteBuffer requests = (ByteBuffer) key.attachment();
                client.write(requests);
                if (!requests.hasRemaining()) {
                    requests.rewind();
                }
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    @Override
    public void close() throws IOException {
        ended = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
