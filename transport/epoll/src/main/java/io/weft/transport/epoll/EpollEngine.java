package io.weft.transport.epoll;

import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Engine;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.transport.posix.AcceptedDescriptor;
import io.weft.transport.posix.DatagramDescriptor;
import io.weft.transport.posix.ListeningDescriptor;
import io.weft.transport.posix.MessageBatch;
import io.weft.transport.posix.SendVectors;
import io.weft.transport.posix.Slots;
import io.weft.transport.posix.SocketDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One epoll instance, and the streams and listeners registered with it, level-triggered.
///
/// Wake-ups come through an event counter that is registered edge-triggered: each write is an
/// event, and the counter never has to be read.
final class EpollEngine implements Engine {
    private static final int MAX_EVENTS = 256;
    private static final long WAKEUP = -1;
    private static final int NANOS_A_MILLI = 1_000_000;

    final Slots<Target> slots = new Slots<>(Integer.MAX_VALUE);
    final SendVectors vectors = new SendVectors();
    final CallbackFaults faults = new CallbackFaults();
    private @Nullable MessageBatch messages;

    /// File offset that `sendfile` reads and moves on.
    final long fileOffset = Memory.allocate(Long.BYTES, 8);

    private final int epoll;
    private final int wakeup;
    private final long one;
    private final long ready;
    private final boolean nanoseconds;
    private long polls;

    EpollEngine() throws EngineUnavailableException {
        epoll = made(Epoll.create(), "epoll_create1");
        int counter = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        int added = counter < 0 ? counter : add(counter, Epoll.EPOLLIN | Epoll.EPOLLET, WAKEUP);
        if (added < 0) {
            Libc.close(epoll);
            if (counter >= 0) {
                Libc.close(counter);
            }
            throw new EngineUnavailableException("eventfd: " + Errno.describe(-added));
        }
        wakeup = counter;
        one = Memory.allocate(8, 8);
        Memory.putLong(one, 1);
        ready = Memory.allocate((long) MAX_EVENTS * Epoll.EVENT_SIZE, 64);
        // Old kernels say ENOSYS, old seccomp profiles EPERM.
        nanoseconds = Epoll.wait2(epoll, ready, MAX_EVENTS, 0) >= 0;
    }

    private static int made(int result, String call) throws EngineUnavailableException {
        if (result < 0) {
            throw new EngineUnavailableException(call + ": " + Errno.describe(-result));
        }
        return result;
    }

    boolean hasNanoseconds() {
        return nanoseconds;
    }

    /// Returns the number of polls, with the current one.
    long polls() {
        return polls;
    }

    // ---- the loop's side ----

    @Override
    public void poll(long timeoutNanos) {
        polls++;
        int count = await(timeoutNanos);
        for (int i = 0; i < count; i++) {
            long key = Epoll.data(ready, i);
            Target target = key == WAKEUP ? null : slots.get((int) (key >>> 32), (int) key);
            if (target != null) {
                dispatch(target, Epoll.events(ready, i));
            }
        }
        faults.rethrow();
    }

    /// Returns the number of events ready to be dispatched; negative when a signal cut the wait
    /// short.
    int await(long timeoutNanos) {
        int count;
        if (timeoutNanos > 0 && timeoutNanos < Long.MAX_VALUE && nanoseconds) {
            count = Epoll.wait2(epoll, ready, MAX_EVENTS, timeoutNanos);
        } else {
            count = Epoll.wait(epoll, ready, MAX_EVENTS, millis(timeoutNanos));
        }
        if (count < 0 && count != -Errno.EINTR) {
            throw new IllegalStateException("epoll_wait: " + Errno.describe(-count));
        }
        return count;
    }

    /// Rounded up: rounded down, a loop would spin through the last millisecond before each timer.
    private static int millis(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            return -1;
        }
        long millis = nanos / NANOS_A_MILLI + (nanos % NANOS_A_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    private void dispatch(Target target, int events) {
        try {
            target.ready(events);
        } catch (Throwable t) {
            faults.add(t);
            faults.guard(target::faulted);
        }
    }

    @Override
    public void wakeup() {
        Libc.write(wakeup, one, 8);
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
            Libc.close(epoll);
            Libc.close(wakeup);
            vectors.close();
            if (messages != null) {
                messages.close();
            }
            Memory.free(ready, (long) MAX_EVENTS * Epoll.EVENT_SIZE);
            Memory.free(one, 8);
            Memory.free(fileOffset, Long.BYTES);
        }
    }

    // ---- interest ----

    /// Returns the key to register the descriptor of the target in `slot` with; not negative, as
    /// slots are not.
    long key(int slot) {
        return (long) slot << 32 | Integer.toUnsignedLong(slots.generation(slot));
    }

    int add(int fd, int events, long key) {
        return Epoll.ctl(epoll, Epoll.CTL_ADD, fd, events, key);
    }

    /// Changes what is registered. Needs no memory and cannot fail, unless other code has closed
    /// the descriptor.
    int change(int fd, int events, long key) {
        return Epoll.ctl(epoll, Epoll.CTL_MOD, fd, events, key);
    }

    int remove(int fd) {
        return Epoll.ctl(epoll, Epoll.CTL_DEL, fd, 0, 0);
    }

    // ---- sockets ----

    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        ListeningDescriptor listening =
                ListeningDescriptor.open(address, options, Sockets.SOCK_NONBLOCK);
        EpollListener listener = new EpollListener(this, listening, events);
        register(listener, listening.fd(), 0, listener.slot);
        return listener;
    }

    @Override
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        SocketDescriptor socket =
                SocketDescriptor.open(
                        address, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, options);
        int result = socket.connect(address);
        if (result < 0 && result != -Errno.EINPROGRESS) {
            socket.close();
            throw SocketErrors.failure(-result, "connect " + address);
        }
        EpollStream stream =
                new EpollStream(
                        this,
                        socket.fd(),
                        AcceptedDescriptor.receivesDescriptors(socket.fd(), options),
                        events,
                        address);
        register(stream, socket.fd(), EpollStream.CONNECT, stream.slot);
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
        EpollDatagrams made = new EpollDatagrams(this, socket, options, events);
        register(made, socket.fd(), 0, made.slot);
        return made.descriptor;
    }

    @Override
    public ReadyHandle watch(int descriptor, ReadyEvents events) throws IOException {
        // Those that epoll cannot watch (files) are found out now.
        int result = add(descriptor, 0, WAKEUP);
        if (result < 0) {
            throw SocketErrors.failure(-result, "epoll_ctl for descriptor " + descriptor);
        }
        remove(descriptor);
        return new EpollWatch(this, descriptor, events);
    }

    @Override
    public Accepted take(int descriptor) throws IOException {
        return AcceptedDescriptor.of(descriptor, true);
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        AcceptedDescriptor connection = (AcceptedDescriptor) accepted;
        EpollStream stream =
                connection.adopt(
                        (fd, descriptors) -> new EpollStream(this, fd, descriptors, events, null));
        if (connection.isShared()) {
            stream.share();
        }
        register(stream, stream.fd, EpollStream.RECEIVE, stream.slot);
        return stream;
    }

    private void register(Target target, int fd, int events, int slot) throws IOException {
        int result = add(fd, events, key(slot));
        if (result < 0) {
            slots.remove(slot);
            Libc.close(fd);
            throw SocketErrors.failure(-result, "epoll_ctl for " + target);
        }
    }
}
