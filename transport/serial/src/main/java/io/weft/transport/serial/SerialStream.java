package io.weft.transport.serial;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.loop.EventExecutor;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An open port as a stream: a descriptor that the loop's engine watches.
///
/// **The end of input** is a port that hangs up: its adapter was unplugged, the other side of a
/// pseudo-terminal closed, or, with [SerialOption#CARRIER], the carrier was lost. Output ends with
/// it, so what is sent then fails.
///
/// **Closing** in order waits in the loop until the hardware has sent what it was given: the kernel
/// would make the loop's thread wait.
final class SerialStream implements StreamHandle, ReadyEvents {
    private static final int RECEIVE_SIZE = ReadTiming.MAX_AT_LEAST;

    /// Receives of a ready port before others get their turn.
    private static final int MAX_RECEIVES = 4;

    private static final long DRAIN_MILLIS = 10;

    private final EventExecutor loop;
    private final SerialAddress address;
    private final SerialPort port;
    private final StreamEvents events;
    private final SerialSettings settings;
    private final Duration closeTimeout;
    private final ReadyHandle watch;

    /// Bytes that were received and not handed up, as more are waited for.
    private @Nullable Buffer held;

    private @Nullable Timeout silence;

    /// The time for [#held] has come, though it is short, while nothing was being received.
    private boolean heldIsDue;

    private boolean watchesInput;
    private boolean receiving;
    private boolean inputEnded;
    private boolean sendWaits;
    private boolean draining;
    private boolean closed;

    private SerialStream(
            EventExecutor loop,
            Engine engine,
            SerialAddress address,
            SerialPort port,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        this.loop = loop;
        this.address = address;
        this.port = port;
        this.events = events;
        this.closeTimeout = options.get(ChannelOption.CLOSE_TIMEOUT);
        this.settings = new SerialSettings(loop, port, options);
        try {
            this.watch = engine.watch(port.fd(), this);
        } catch (UnsupportedOperationException e) {
            throw new IOException(
                    address + ": " + e.getMessage() + " (expected: io_uring or epoll)", e);
        }
    }

    /// Opens the port and sets it; `connected` follows in a task of the loop.
    static SerialStream open(
            EventExecutor loop,
            Engine engine,
            SerialAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        SerialPort port = SerialPort.open(address.device(), options.get(SerialOption.EXCLUSIVE));
        SerialStream stream;
        try {
            stream = new SerialStream(loop, engine, address, port, options, events);
        } catch (Throwable t) {
            port.close();
            throw t;
        }
        loop.executeUnbounded(() -> stream.guard(stream::connected));
        return stream;
    }

    private void connected() {
        if (!closed) {
            events.connected();
        }
    }

    /// Calls back. A callback that throws costs the whole channel, as [Engine] says: the engine
    /// closes only its watch, and knows nothing of the port.
    private void guard(Runnable callback) {
        CallbackFaults.closeIfThrown(callback, () -> close(true));
    }

    private void interest() {
        watch.interest(watchesInput, sendWaits);
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        guard(() -> look(readable, writable));
    }

    private void look(boolean readable, boolean writable) {
        if (writable && sendWaits) {
            sendWaits = false;
            events.sent(0);
        }
        if (!closed && readable) {
            readable();
        }
        if (!closed) {
            interest();
        }
    }

    @Override
    public void failed(IOException cause) {
        if (!closed) {
            guard(() -> events.failed(cause));
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        if (heldIsDue) {
            loop.executeUnbounded(this::handUpDue);
        }
        if (!inputEnded && !watchesInput) {
            watchesInput = true;
            interest();
        }
    }

    /// Costs no call: interest is given up when input comes meanwhile.
    @Override
    public void pause() {
        receiving = false;
    }

    private void readable() {
        if (!receiving) {
            watchesInput = false;
            return;
        }
        boolean some = false;
        int result = 1;
        for (int i = 0; i < MAX_RECEIVES && result > 0 && receiving; i++) {
            Buffer room = room();
            if (room == null) {
                return;
            }
            int size = RECEIVE_SIZE - room.writeOffset();
            result = (int) Libc.read(port.fd(), room.address() + room.writeOffset(), size);
            if (result > 0) {
                room.writeOffset(room.writeOffset() + result);
                some |= handUp(room.readableBytes() >= settings.timing().atLeast());
            }
            if (result < size) {
                break;
            }
        }
        dropEmpty();
        if (some && !closed) {
            events.receiveComplete();
        }
        if (!closed && isHangUp(result)) {
            hungUp();
        }
    }

    /// A hang-up reads as the end, EIO, or the error of an adapter that is gone.
    private static boolean isHangUp(int result) {
        return result == 0 || (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR);
    }

    /// Returns null if there is no memory: the channel has been told.
    private @Nullable Buffer room() {
        Buffer known = held;
        if (known == null) {
            try {
                known = BufferAllocator.pooled().allocate(RECEIVE_SIZE);
            } catch (MemoryLimitException | OutOfMemoryError e) {
                events.failed(new IOException("receive: no memory", e));
                return null;
            }
            held = known;
        }
        return known;
    }

    private void dropEmpty() {
        Buffer unused = held;
        if (unused != null && !unused.isReadable()) {
            held = null;
            unused.release();
        }
    }

    /// Hands up what is held, or waits for more of it.
    ///
    /// @return true if it was handed up
    private boolean handUp(boolean enough) {
        if (silence != null) {
            silence.cancel();
            silence = null;
        }
        Buffer bytes = held;
        if (bytes == null) {
            return false;
        }
        if (enough) {
            held = null;
            heldIsDue = false;
            events.received(bytes);
            return true;
        }
        Duration patience = settings.timing().silence();
        if (patience.isPositive()) {
            long nanos = TimeUnit.NANOSECONDS.convert(patience); // 292 years at most
            silence = loop.schedule(this::due, nanos, TimeUnit.NANOSECONDS);
        }
        return false;
    }

    /// The line has been silent, or bytes need not be waited for any longer.
    private void due() {
        heldIsDue = held != null;
        handUpDue();
    }

    private void handUpDue() {
        guard(
                () -> {
                    if (!closed && receiving && heldIsDue && handUp(true) && !closed) {
                        events.receiveComplete();
                    }
                });
    }

    private void hungUp() {
        watchesInput = false;
        inputEnded = true;
        if (handUp(true) && !closed) {
            events.receiveComplete();
        }
        if (!closed) {
            events.inputClosed();
        }
    }

    /// Nothing that is unread here could harm what was sent.
    @Override
    public boolean discardInput() {
        return false;
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int total = 0;
        for (int i = 0; i < buffers.count(); i++) {
            Buffer bytes = buffers.buffer(i);
            int length = bytes.readableBytes();
            int written = length == 0 ? 0 : write(bytes.address() + bytes.readOffset(), length);
            if (written < 0 && total == 0) {
                if (written != -Errno.EAGAIN) {
                    throw new SocketException(
                            "send to " + address + ": " + Errno.describe(-written));
                }
                sendWaits = true;
                interest();
                return PENDING;
            }
            total += Math.max(written, 0);
            if (written < length) {
                break;
            }
        }
        return total;
    }

    private int write(long at, int length) {
        int written;
        do {
            written = (int) Libc.write(port.fd(), at, length);
        } while (written == -Errno.EINTR);
        return written;
    }

    /// A line has no end of one direction.
    @Override
    public void shutdownOutput() {}

    @Override
    public boolean lingers() {
        return false;
    }

    // ---- the end ----

    @Override
    public void close(boolean reset) {
        if (closed) {
            if (reset && draining) {
                finish();
            }
            return;
        }
        closed = true;
        receiving = false;
        sendWaits = false;
        heldIsDue = false;
        boolean _ = dropHeld();
        watch.close();
        settings.close();
        if (reset || inputEnded || port.unsent() == 0) {
            finish();
        } else {
            draining = true;
            awaitSent(port.unsent(), loop.clock().nanoTime());
        }
    }

    private boolean dropHeld() {
        if (silence != null) {
            silence.cancel();
            silence = null;
        }
        Buffer bytes = held;
        held = null;
        return bytes != null && bytes.release();
    }

    /// Looks now and then if the hardware has sent everything; gives up if it sends nothing for as
    /// long as an orderly close waits.
    private void awaitSent(long unsent, long since) {
        long patience = TimeUnit.NANOSECONDS.convert(closeTimeout); // 292 years at most
        Timeout _ =
                loop.schedule(
                        () -> {
                            if (!draining) {
                                return;
                            }
                            long left = port.unsent();
                            long now = loop.clock().nanoTime();
                            if (left == 0 || (left >= unsent && now - since >= patience)) {
                                finish();
                            } else {
                                awaitSent(left, left < unsent ? now : since);
                            }
                        },
                        DRAIN_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void finish() {
        draining = false;
        port.close();
        events.closed();
    }

    // ---- the rest ----

    @Override
    public int descriptor() {
        return closed ? -1 : port.fd();
    }

    @Override
    public <T> T option(ChannelOption<T> option) throws IOException {
        return settings.get(option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) throws IOException {
        settings.set(option, value);
        if (option == SerialOption.READ_TIMING) {
            loop.executeUnbounded(this::due); // by the next read it may be too late
        }
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return null;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : address;
    }

    @Override
    public String toString() {
        return "stream of " + port;
    }
}
