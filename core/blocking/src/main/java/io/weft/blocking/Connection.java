package io.weft.blocking;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.codec.Cumulation;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A connection for straight-line code: messages are read and written by calls that wait. Made for
/// virtual threads; the bytes move on an event loop, as everywhere, and the codecs run on the
/// calling thread.
///
/// ```java
/// try (Connection<String, String> connection = Connection.connect(group, address, lines)) {
///     connection.write("hello");
///     connection.flush();
///     String answer = connection.read();
/// }
/// ```
///
/// **Threads.** One may read while another writes; more of a kind wait for one another. Any may
/// close. None of this may be called on an event loop.
///
/// **Back-pressure.** A peer that takes nothing makes the writer wait, and unread input stays with
/// the peer, but for 64 KiB.
///
/// **An interrupt** cancels the call that waits, with an [InterruptedException], and a timeout ends
/// it; the connection stays as it is: nothing that came is lost, and what was written is sent by
/// the next [#flush].
///
/// @param <In> messages that are read
/// @param <Out> messages that are written
public final class Connection<In, Out> implements AutoCloseable {
    /// As much is encoded before it is sent without a [#flush].
    private static final int ENOUGH = 16 << 10;

    private final Channel channel;
    private final Inbox inbox = new Inbox();
    private final Outbox outbox;
    private volatile Duration readTimeout;
    private volatile Duration writeTimeout;
    private volatile boolean closed;

    // ---- under readLock ----

    private final ReentrantLock readLock = new ReentrantLock();
    private final Decoder<? extends In> decoder;
    private final Cumulation cumulation = new Cumulation();
    private final ArrayDeque<In> decoded = new ArrayDeque<>(2);
    private boolean receiving;

    /// True if the decoder may find a message in the bytes it has.
    private boolean decodable;

    private boolean ended;

    /// The failure behind which no input can be read: some of it is lost, or the decoder's state.
    private @Nullable RuntimeException broken;

    private boolean inputReleased;

    // ---- under writeLock ----

    private final ReentrantLock writeLock = new ReentrantLock();
    private final Encoder<? super Out> encoder;
    private final Output output = new Output();
    private boolean outputReleased;

    private Connection(Channel channel, Protocol<In, Out> protocol) {
        this.channel = channel;
        outbox = new Outbox(channel);
        decoder = protocol.decoder.get();
        encoder = protocol.encoder.get();
        readTimeout = protocol.readTimeout;
        writeTimeout = protocol.writeTimeout;
    }

    // ---- beginning ----

    /// Connects, and waits for it.
    ///
    /// @throws IOException when that fails, or takes longer than `CONNECT_TIMEOUT`
    /// @throws InterruptedException when this thread is interrupted; the attempt is given up then
    public static <In, Out> Connection<In, Out> connect(
            EventLoopGroup group, SocketAddress address, Protocol<In, Out> protocol)
            throws IOException, InterruptedException {
        return connect(group, address, protocol, UnaryOperator.identity());
    }

    /// As [#connect(EventLoopGroup, SocketAddress, Protocol)], through a tunnel or with a resolver:
    /// `Connection.connect(group, address, protocol, b -> b.tunnel(chain))`.
    ///
    /// @param change of the bootstrap, which has the protocol's options; the handler is the
    ///     connection's
    public static <In, Out> Connection<In, Out> connect(
            EventLoopGroup group,
            SocketAddress address,
            Protocol<In, Out> protocol,
            UnaryOperator<Bootstrap> change)
            throws IOException, InterruptedException {
        var made = new AtomicReference<Connection<In, Out>>();
        Bootstrap plain = new Bootstrap(group);
        protocol.options.set().forEach(option -> set(plain, option, protocol));
        Bootstrap bootstrap = change.apply(plain).handler(ch -> made.set(over(ch, protocol)));
        Future<Channel> connecting = bootstrap.connect(address);
        try {
            await(connecting);
        } catch (InterruptedException e) {
            connecting.cancel();
            Connection<In, Out> late = made.get();
            if (late != null) {
                late.abort();
            }
            throw e;
        }
        return Objects.requireNonNull(made.get());
    }

    private static <T> void set(
            Bootstrap bootstrap, ChannelOption<T> option, Protocol<?, ?> protocol) {
        bootstrap.option(option, protocol.options.get(option));
    }

    static <V> V await(Future<V> future) throws IOException, InterruptedException {
        while (!future.await(1, TimeUnit.DAYS)) {
            // as long as it takes: it has a timeout of its own
        }
        Throwable cause = future.cause();
        switch (cause) {
            case null -> {}
            case IOException e -> throw e;
            case CancellationException e -> throw e;
            default -> throw new IOException(cause.getMessage(), cause);
        }
        return Objects.requireNonNull(future.now());
    }

    /// Makes a connection of a channel: adds the protocol's handlers to the pipeline, and the last
    /// one. For bootstraps of your own: to be called by an initializer.
    public static <In, Out> Connection<In, Out> over(Channel channel, Protocol<In, Out> protocol)
            throws Exception {
        // Not before the first read: what nobody takes stays with the peer.
        channel.autoRead(false);
        if (!channel.options().get(ChannelOption.ALLOW_HALF_CLOSURE)) {
            channel.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
        protocol.handlers.initChannel(channel);
        Connection<In, Out> connection = new Connection<>(channel, protocol);
        channel.pipeline().addLast(new ConnectionHandler(connection.inbox, connection.outbox));
        return connection;
    }

    // ---- reading ----

    /// Waits for the next message, which is the caller's.
    ///
    /// @return null when the peer has ended its output
    /// @throws SocketTimeoutException when nothing came for as long as the read timeout
    /// @throws ClosedChannelException when the connection is closed
    /// @throws IOException when it broke
    /// @throws DecoderException when the peer broke the protocol or a limit; each later read throws
    ///     it again
    /// @throws io.weft.buffer.MemoryLimitException when there is no memory for the input, of which
    ///     some is lost; each later read throws it again, as any other failure of the decoder
    public @Nullable In read() throws IOException, InterruptedException {
        readLock.lockInterruptibly();
        try {
            return next();
        } finally {
            readLock.unlock();
            releaseInput();
        }
    }

    private @Nullable In next() throws IOException, InterruptedException {
        for (; ; ) {
            if (closed) {
                throw new ClosedChannelException();
            }
            In next = decoded.poll();
            if (next != null) {
                return next;
            }
            if (broken != null) {
                throw broken;
            }
            if (decodable) {
                decode();
            } else if (ended) {
                return null;
            } else {
                receive();
            }
        }
    }

    private void decode() {
        decodable = false;
        Buffer in = cumulation.bytes();
        if (in == null) {
            in = cumulation.add(BufferAllocator.pooled().allocate(0));
        }
        try {
            decoder.resume();
            decoder.decode(in, this::decoded);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /// Input is lost, or the decoder's state: nothing behind it may be read as if it were whole.
    private void failed(Throwable cause) {
        if (cause instanceof Error e) {
            broken = new IllegalStateException("read: an earlier one failed", e);
            throw e;
        }
        broken = (RuntimeException) cause;
    }

    private void decoded(In message) {
        decoded.add(message);
        decoder.pause();
        decodable = true;
    }

    private void receive() throws IOException, InterruptedException {
        cumulation.trim();
        if (!receiving) {
            receiving = true;
            autoRead();
        }
        Buffer more = inbox.take(readTimeout, this::autoRead);
        if (more != null) {
            try {
                var _ = cumulation.add(more);
                decodable = true;
            } catch (RuntimeException | Error e) {
                failed(e);
            }
            return;
        }
        ended = true;
        try {
            decoder.resume();
            decoder.end(decoded::add);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void autoRead() {
        try {
            channel.eventLoop().executeUnbounded(() -> channel.autoRead(true));
        } catch (RejectedExecutionException e) {
            inbox.fail(new IOException("the loop has ended", e));
        }
    }

    /// Releases unread input if the connection is closed. The reader and the closing thread both
    /// call it; the last of them releases.
    private void releaseInput() {
        if (closed && readLock.tryLock()) {
            try {
                cumulation.release();
                for (In message; (message = decoded.poll()) != null; ) {
                    release(message);
                }
                if (!inputReleased) {
                    inputReleased = true;
                    decoder.close();
                }
            } finally {
                readLock.unlock();
            }
        }
    }

    private static void release(Object message) {
        if (message instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                System.getLogger("io.weft.blocking")
                        .log(System.Logger.Level.WARNING, "a message failed to close", e);
            }
        }
    }

    // ---- writing ----

    /// Encodes `message`, which becomes the connection's, behind what was written before. It is
    /// sent by [#flush], or when 16 KiB have come together; then this waits while the peer does not
    /// take what was sent before.
    ///
    /// @throws SocketTimeoutException when the peer took nothing for as long as the write timeout
    /// @throws ClosedChannelException when the connection or its output is closed
    /// @throws IOException when it broke
    public void write(Out message) throws IOException, InterruptedException {
        boolean encoded = false;
        try {
            writeLock.lockInterruptibly();
            try {
                check();
                encoded = true;
                encode(message);
                if (output.size() >= ENOUGH) {
                    send();
                }
            } finally {
                writeLock.unlock();
                releaseOutput();
            }
        } finally {
            if (!encoded) {
                release(message);
            }
        }
    }

    private void check() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        outbox.check();
    }

    private void encode(Out message) {
        Output.Mark mark = output.mark();
        boolean done = false;
        try {
            encoder.encode(message, output);
            done = true;
        } finally {
            if (!done) {
                output.rollback(mark);
            }
        }
    }

    /// Lets what was written be sent. Waits while the peer does not take what was sent before, not
    /// for the bytes to arrive.
    ///
    /// @throws IOException as [#write] does
    public void flush() throws IOException, InterruptedException {
        writeLock.lockInterruptibly();
        try {
            check();
            send();
        } finally {
            writeLock.unlock();
            releaseOutput();
        }
    }

    /// Sends what the outbox has room for; the rest stays in the output for the next time.
    private void send() throws IOException, InterruptedException {
        for (Buffer next; ; ) {
            outbox.awaitRoom(writeTimeout);
            boolean room = true;
            while (room && (next = output.next()) != null) {
                room = outbox.add(next);
            }
            outbox.post();
            if (room) {
                return;
            }
        }
    }

    /// Flushes, and tells the peer that nothing more comes (FIN). Reading goes on.
    ///
    /// @throws IOException as [#write] does
    public void shutdownOutput() throws IOException, InterruptedException {
        writeLock.lockInterruptibly();
        try {
            check();
            send();
            outbox.shutdown();
        } finally {
            writeLock.unlock();
            releaseOutput();
        }
    }

    private void releaseOutput() {
        if (closed && writeLock.tryLock()) {
            try {
                output.close();
                if (!outputReleased) {
                    outputReleased = true;
                    encoder.close();
                }
            } finally {
                writeLock.unlock();
            }
        }
    }

    // ---- the end ----

    /// Closes in order: what was written is sent first. Does not wait for it. Calls that wait in
    /// other threads throw a [ClosedChannelException]; what was not read is given up.
    @Override
    public void close() {
        if (writeLock.tryLock()) {
            try {
                if (!closed) {
                    output.drain(outbox::add);
                }
            } finally {
                writeLock.unlock();
            }
        }
        end();
    }

    private void end() {
        closed = true;
        var cause = new ClosedChannelException();
        outbox.close(cause);
        inbox.close(cause);
        releaseInput();
        releaseOutput();
    }

    /// Closes at once with a reset; what waits to be sent is given up.
    public void abort() {
        var _ = channel.abort();
        end();
    }

    // ---- what it is ----

    public Channel channel() {
        return channel;
    }

    /// Another limit on how long a read may wait; zero for none. For the next call.
    ///
    /// @throws IllegalArgumentException when it is negative
    public void readTimeout(Duration timeout) {
        readTimeout = Protocol.check("readTimeout", timeout);
    }

    /// Another limit on how long a write may wait; zero for none. For the next call.
    ///
    /// @throws IllegalArgumentException when it is negative
    public void writeTimeout(Duration timeout) {
        writeTimeout = Protocol.check("writeTimeout", timeout);
    }

    @Override
    public String toString() {
        return "Connection[" + channel + "]";
    }
}
