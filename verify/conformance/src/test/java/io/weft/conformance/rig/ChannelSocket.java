package io.weft.conformance.rig;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A peer in the style of a socket, where there are none: a channel that reads when its user does.
final class ChannelSocket extends Socket {
    private static final Duration LONG = Duration.ofSeconds(Rig.PATIENCE_SECONDS);

    /// Events in order: bytes; the end, as an empty array; a failure.
    private final LinkedBlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private Channel channel;
    private boolean resets;

    private ChannelSocket() {}

    static Socket connect(EventLoopGroup group, SocketAddress address, int receiveBuffer)
            throws IOException {
        ChannelSocket socket = new ChannelSocket();
        Bootstrap bootstrap =
                new Bootstrap(group)
                        .option(ChannelOption.AUTO_READ, false)
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .option(ChannelOption.CLOSE_WHEN_SHUT, false)
                        .option(ChannelOption.LINGER_TIMEOUT, Duration.ZERO)
                        .option(ChannelOption.CLOSE_TIMEOUT, Duration.ofSeconds(2))
                        .option(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(1 << 25, 1 << 26, 1 << 27))
                        .option(ChannelOption.SO_RCVBUF, receiveBuffer)
                        .handler(ch -> ch.pipeline().addLast(socket.new Arrivals()));
        try {
            socket.channel = bootstrap.connect(address).join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
        return socket;
    }

    private final class Arrivals implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                byte[] bytes = new byte[buffer.readableBytes()];
                buffer.readBytes(bytes);
                arrived.add(bytes);
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            arrived.add(new byte[0]);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            arrived.add(cause);
            ctx.channel().abort();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            arrived.add(new SocketException("Socket closed"));
        }
    }

    private final class In extends InputStream {
        private ByteArrayInputStream current = new ByteArrayInputStream(new byte[0]);
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!ended && current.available() == 0) {
                next();
            }
            return ended ? -1 : current.read(to, offset, length);
        }

        private void next() throws IOException {
            Object next = arrived.poll();
            if (next == null) {
                channel.read();
                next = awaitNext();
            }
            switch (next) {
                case byte[] bytes when bytes.length == 0 -> ended = true;
                case byte[] bytes -> current = new ByteArrayInputStream(bytes);
                case Throwable cause -> {
                    arrived.add(cause); // for the next read as well
                    throw new SocketException(String.valueOf(cause.getMessage()));
                }
                default -> throw new AssertionError(next);
            }
        }

        private Object awaitNext() throws IOException {
            Object next;
            try {
                next = arrived.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (next == null) {
                throw new SocketTimeoutException("Read timed out");
            }
            return next;
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            Buffer bytes = channel.allocator().allocate(length).writeBytes(from, offset, length);
            Promise<Void> sent = channel.newPromise();
            channel.writeAndFlush(bytes, sent);
            try {
                sent.join();
            } catch (CompletionException e) {
                throw new SocketException(String.valueOf(e.getCause()));
            }
        }
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public void shutdownOutput() {
        Rig.onLoop(channel, channel::shutdownOutput);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {
        resets = on && seconds == 0;
    }

    /// Input that was not read is lost, so the other side is told, as a kernel does.
    @Override
    public void close() {
        @Nullable Object unread = arrived.peek();
        if (resets || (unread instanceof byte[] bytes && bytes.length > 0)) {
            var _ = channel.abort();
        } else {
            var _ = channel.close();
        }
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public String toString() {
        return "ChannelSocket[" + channel + "]";
    }
}
