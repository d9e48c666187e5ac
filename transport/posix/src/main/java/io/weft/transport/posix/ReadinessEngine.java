package io.weft.transport.posix;

import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.SourceAddresses;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// An engine by readiness: the streams, listeners and sockets for datagrams that a
/// [ReadinessQueue] tells about. What the kernel's queue is (epoll, kqueue) is all that systems
/// differ in here.
public final class ReadinessEngine implements Engine {
    final Slots<ReadinessTarget> slots = new Slots<>(Integer.MAX_VALUE);
    final SendVectors vectors = new SendVectors();
    final CallbackFaults faults = new CallbackFaults();
    final ReadinessQueue queue;
    private @Nullable MessageBatch messages;

    /// File offset that `sendfile` reads and moves on.
    final long fileOffset = Memory.allocate(Long.BYTES, 8);

    private long polls;

    /// @param queue closed with this engine
    public ReadinessEngine(ReadinessQueue queue) {
        this.queue = queue;
    }

    /// Returns the number of polls, with the current one.
    long polls() {
        return polls;
    }

    // ---- the loop's side ----

    @Override
    public void poll(long timeoutNanos) {
        polls++;
        int count = queue.await(timeoutNanos);
        for (int i = 0; i < count; i++) {
            long key = queue.key(i);
            ReadinessTarget target =
                    key == ReadinessQueue.WAKEUP ? null : slots.get((int) (key >>> 32), (int) key);
            if (target != null) {
                dispatch(target, queue.events(i));
            }
        }
        faults.rethrow();
    }

    private void dispatch(ReadinessTarget target, int events) {
        try {
            target.ready(events);
        } catch (Throwable t) {
            faults.add(t);
            faults.guard(target::faulted);
        }
    }

    @Override
    public void wakeup() {
        queue.wakeup();
    }

    @Override
    public boolean isIdle() {
        return slots.isEmpty();
    }

    @Override
    public void close() {
        try {
            slots.forEach(target -> faults.guard(target::abandon));
            faults.rethrow();
        } finally {
            queue.close();
            vectors.close();
            if (messages != null) {
                messages.close();
            }
            Memory.free(fileOffset, Long.BYTES);
        }
    }

    // ---- interest ----

    /// Returns the key to register the descriptor of the target in `slot` with; not negative, as
    /// slots are not.
    long key(int slot) {
        return (long) slot << 32 | Integer.toUnsignedLong(slots.generation(slot));
    }

    // ---- sockets ----

    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        ListeningDescriptor listening =
                ListeningDescriptor.open(address, options, Sockets.SOCK_NONBLOCK);
        return listen(listening, events);
    }

    @Override
    public ListenHandle listen(int descriptor, ChannelOptions options, ListenEvents events)
            throws IOException {
        return listen(ListeningDescriptor.of(descriptor, options, true), events);
    }

    private ListenHandle listen(ListeningDescriptor listening, ListenEvents events)
            throws IOException {
        ReadinessListener listener =
                OwnedDescriptor.of(
                        listening.fd(), () -> new ReadinessListener(this, listening, events));
        register(listener, listening.fd(), 0, listener.slot);
        return listener;
    }

    @Override
    public SourceAddresses sourceAddresses() {
        return SourceAddresses.routes();
    }

    @Override
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        SocketDescriptor socket =
                SocketDescriptor.open(
                        address, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, options);
        boolean fast = options.get(ChannelOption.TCP_FASTOPEN_CONNECT);
        int result = socket.connect(address, fast);
        if (result < 0 && result != -Errno.EINPROGRESS) {
            socket.close();
            throw SocketErrors.failure(-result, "connect " + address);
        }
        ReadinessStream stream =
                OwnedDescriptor.of(
                        socket.fd(),
                        () ->
                                new ReadinessStream(
                                        this,
                                        socket.fd(),
                                        Reception.of(socket.family(), options),
                                        events,
                                        address));
        register(stream, socket.fd(), stream.firstInterest(), stream.slot);
        return stream;
    }

    /// For all its datagrams; made with the first.
    MessageBatch messages() {
        MessageBatch known = messages;
        if (known == null) {
            known = new MessageBatch();
            messages = known;
        }
        return known;
    }

    @Override
    public DatagramHandle datagrams(
            @Nullable SocketAddress local,
            @Nullable SocketAddress peer,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        SocketDescriptor socket = DatagramDescriptor.open(local, peer, options);
        ReadinessDatagrams made =
                OwnedDescriptor.of(
                        socket.fd(), () -> new ReadinessDatagrams(this, socket, options, events));
        register(made, socket.fd(), 0, made.slot);
        return made.descriptor;
    }

    @Override
    public ReadyHandle watch(int descriptor, ReadyEvents events) throws IOException {
        // Those that cannot be watched (files on epoll) are found out now.
        int result = queue.check(descriptor);
        if (result < 0) {
            throw SocketErrors.failure(-result, "watch descriptor " + descriptor);
        }
        return new ReadinessWatch(this, descriptor, events);
    }

    @Override
    public Accepted take(int descriptor) throws IOException {
        return AcceptedDescriptor.of(descriptor, true);
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        AcceptedDescriptor connection = (AcceptedDescriptor) accepted;
        ReadinessStream stream =
                connection.adopt(
                        (fd, reception) -> new ReadinessStream(this, fd, reception, events, null));
        if (connection.isShared()) {
            stream.share();
        }
        register(stream, stream.fd, stream.firstInterest(), stream.slot);
        return stream;
    }

    private void register(ReadinessTarget target, int fd, int events, int slot) throws IOException {
        int result = queue.add(fd, events, key(slot));
        if (result < 0) {
            slots.remove(slot);
            Libc.close(fd);
            throw SocketErrors.failure(-result, "watch " + target);
        }
    }
}
