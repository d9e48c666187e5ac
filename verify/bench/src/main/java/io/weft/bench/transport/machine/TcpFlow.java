package io.weft.bench.transport.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/// A transfer by the kernel's TCP, with its own congestion control.
final class TcpFlow implements Flow {
    private static final int PIECE = 16 << 10;

    private final AtomicLong received = new AtomicLong();
    private final Socket out;
    private final Socket in;

    TcpFlow() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            out = new Socket(server.getInetAddress(), server.getLocalPort());
            in = server.accept();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().start(this::send);
        Thread.ofPlatform().daemon().start(this::receive);
    }

    private void send() {
        try (OutputStream to = out.getOutputStream()) {
            byte[] piece = new byte[PIECE];
            for (; ; ) {
                to.write(piece);
            }
        } catch (IOException e) {
            // The end.
        }
    }

    private void receive() {
        try (InputStream from = in.getInputStream()) {
            byte[] piece = new byte[PIECE];
            for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
                received.addAndGet(count);
            }
        } catch (IOException e) {
            // The end.
        }
    }

    @Override
    public long received() {
        return received.get();
    }

    @Override
    public void close() {
        try {
            out.setSoLinger(true, 0);
            out.close();
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
