package io.weft.transport.uring;

import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Engine;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.FileHandle;
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
import io.weft.ffi.PageCache;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.Cqe;
import io.weft.ffi.uring.IoUring;
import io.weft.loop.Promise;
import io.weft.transport.posix.AcceptedDescriptor;
import io.weft.transport.posix.DatagramDescriptor;
import io.weft.transport.posix.ListeningDescriptor;
import io.weft.transport.posix.MessageBatch;
import io.weft.transport.posix.OwnedDescriptor;
import io.weft.transport.posix.Reception;
import io.weft.transport.posix.SendVectors;
import io.weft.transport.posix.Slots;
import io.weft.transport.posix.SocketDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One ring, and the streams and listeners whose submissions it carries.
final class UringEngine implements Engine {
    /// Cancelling takes microseconds; a second is for a machine that has other things to do.
    private static final int MAX_LAST_POLLS = 100;

    private static final long LAST_POLL_NANOS = 10_000_000;

    private static final int ZERO_COPY_FROM = Integer.getInteger("io.weft.uring.zeroCopyFrom", 0);

    final RingCalls kernel;
    final Ring ring;
    final Slots<Target> slots = new Slots<>(Operation.MAX_SLOTS);
    final ReceiveBuffers buffers;

    /// A single buffer with so many bytes or more is sent without copying it.
    final int uncopiedFrom;

    final SendVectors vectors = new SendVectors();

    /// For [FileSend], which uses it within a call.
    final long fileMemory = Memory.allocate(PageCache.SIZE, 8);

    final CallbackFaults faults = new CallbackFaults();
    private @Nullable MessageBatch messages;
    private final int wakeup;
    private final long wakeupValue = Memory.allocate(16, 8);

    final Starvation starvation;

    /// Guards the wake-up for streams that wait against the end of its descriptor.
    private final Object wakingUp = new Object();

    /// Streams that receive again, and have input from before.
    private final ArrayDeque<UringInput> handUp = new ArrayDeque<>(0);

    private boolean ended;
    private volatile @Nullable Thread thread;

    UringEngine() throws EngineUnavailableException {
        this(RingCalls.KERNEL);
    }

    UringEngine(RingCalls kernel) throws EngineUnavailableException {
        this(kernel, ZERO_COPY_FROM);
    }

    /// @param zeroCopyFrom bytes of a send that is not copied; 0 or fewer: all are
    UringEngine(RingCalls kernel, int zeroCopyFrom) throws EngineUnavailableException {
        this(kernel, zeroCopyFrom, System::nanoTime);
    }

    /// @param clock in nanoseconds
    UringEngine(RingCalls kernel, int zeroCopyFrom, LongSupplier clock)
            throws EngineUnavailableException {
        uncopiedFrom = zeroCopyFrom > 0 ? zeroCopyFrom : Integer.MAX_VALUE;
        this.kernel = kernel;
        ring = new Ring(kernel);
        int made = Libc.eventfd(0, Libc.EFD_CLOEXEC);
        if (made < 0) {
            ring.close();
            throw new EngineUnavailableException("eventfd: " + Errno.describe(-made));
        }
        wakeup = made;
        Memory.putLong(wakeupValue + 8, 1);
        buffers = new ReceiveBuffers(this);
        starvation = new Starvation(buffers, clock);
    }

    boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void start() {
        thread = Thread.currentThread();
        ring.enable();
        try {
            buffers.register(ring);
        } catch (EngineUnavailableException e) {
            throw new IllegalStateException(e);
        }
        awaitWakeup();
    }

    private void awaitWakeup() {
        ring.submit(
                IoUring.IORING_OP_READ,
                wakeup,
                0,
                wakeupValue,
                8,
                0,
                Operation.userData(0, 0, Operation.WAKEUP));
    }

    @Override
    public void poll(long timeoutNanos) {
        round(timeoutNanos);
        faults.rethrow();
    }

    private void round(long timeoutNanos) {
        buffers.takeReturned();
        int waiting = handUp.size();
        ring.poll(starvation.feed(waiting > 0 ? 0 : timeoutNanos));
        // No more than there are now: what handlers cause is for the next round, after the tasks.
        for (int n = ring.ready(); n > 0; n--) {
            long cqe = ring.next();
            if (cqe == 0) {
                break;
            }
            dispatch(Cqe.userData(cqe), Cqe.res(cqe), Cqe.flags(cqe));
        }
        for (; waiting > 0; waiting--) {
            handUpHeld(handUp.remove());
        }
    }

    /// Has `input` hand up in the next round what came before.
    void handUpLater(UringInput input) {
        handUp.add(input);
    }

    private void handUpHeld(UringInput input) {
        try {
            input.handUpHeld();
        } catch (Throwable t) {
            faults.add(t);
            faults.guard(input::faulted);
        }
    }

    private void dispatch(long userData, int result, int flags) {
        switch (Operation.of(userData)) {
            case Operation.IGNORED -> {}
            case Operation.WAKEUP -> awaitWakeup();
            default -> {
                Target target = slots.get(Operation.slot(userData), Operation.generation(userData));
                if (target != null) {
                    complete(target, Operation.of(userData), result, flags);
                } else if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
                    buffers.take(Cqe.bufferId(flags), 0, null).release();
                }
            }
        }
    }

    private void complete(Target target, int operation, int result, int flags) {
        try {
            target.completed(operation, result, flags);
        } catch (Throwable t) {
            faults.add(t);
            faults.guard(target::faulted);
        }
    }

    /// The user data of an operation of the target in `slot`.
    long userData(int slot, int operation) {
        return Operation.userData(slots.generation(slot), slot, operation);
    }

    /// Buffers were released on another thread, perhaps while this loop sleeps and streams wait for
    /// them.
    void buffersReturned() {
        if (starvation.isSome()) {
            synchronized (wakingUp) {
                if (!ended) {
                    wakeup();
                }
            }
        }
    }

    @Override
    public void wakeup() {
        Libc.write(wakeup, wakeupValue + 8, 8);
    }

    @Override
    public boolean isIdle() {
        return slots.isEmpty();
    }

    @Override
    public void close() {
        letGo();
        synchronized (wakingUp) {
            ended = true; // buffers may come back later than the descriptor is somebody else's
        }
        ring.close();
        buffers.close(slots.isEmpty());
        vectors.close();
        Memory.free(fileMemory, PageCache.SIZE);
        if (messages != null) {
            messages.close();
        }
        Libc.close(wakeup);
        // The kernel may still complete the wake-up read while the ring is being torn down, so its
        // 16 bytes stay.
        faults.rethrow();
    }

    /// Gives the kernel the closes that are still queued, and waits until it has cancelled what was
    /// under way: else descriptors would stay open, and channels would never hear that they are
    /// closed.
    private void letGo() {
        try {
            round(0);
            for (int i = 0; i < MAX_LAST_POLLS && !slots.isEmpty(); i++) {
                round(LAST_POLL_NANOS);
            }
        } catch (IllegalStateException e) {
            // The ring is broken, and with it everything that it carried.
        }
    }

    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        ListeningDescriptor listening = ListeningDescriptor.open(address, options, 0);
        return listen(listening, false, events);
    }

    @Override
    public ListenHandle listen(int descriptor, ChannelOptions options, ListenEvents events)
            throws IOException {
        return listen(ListeningDescriptor.of(descriptor, options, false), true, events);
    }

    private ListenHandle listen(
            ListeningDescriptor listening, boolean shared, ListenEvents events) {
        return OwnedDescriptor.of(
                listening.fd(), () -> new UringListener(this, listening, shared, events));
    }

    @Override
    public SourceAddresses sourceAddresses() {
        return SourceAddresses.routes();
    }

    @Override
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        SocketDescriptor socket = SocketDescriptor.open(address, Sockets.SOCK_STREAM, options);
        return OwnedDescriptor.of(
                socket.fd(),
                () -> {
                    UringStream stream =
                            new UringStream(
                                    this,
                                    socket.fd(),
                                    Reception.of(socket.family(), options),
                                    events);
                    stream.connect(address, socket.family());
                    return stream;
                });
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
        return OwnedDescriptor.of(
                socket.fd(), () -> new UringDatagrams(this, socket, options, events).descriptor);
    }

    @Override
    public ReadyHandle watch(int descriptor, ReadyEvents events) throws IOException {
        int flags = Libc.fcntl(descriptor, Libc.F_GETFD, 0);
        if (flags < 0) {
            throw SocketErrors.failure(-flags, "descriptor " + descriptor);
        }
        return new UringWatch(this, descriptor, events);
    }

    @Override
    public boolean openFile(Path path, Set<OpenOption> options, Promise<FileHandle> opened) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            return false;
        }
        UringFile.open(this, path, options, opened);
        return true;
    }

    @Override
    public Accepted take(int descriptor) throws IOException {
        return AcceptedDescriptor.of(descriptor, false);
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        AcceptedDescriptor connection = (AcceptedDescriptor) accepted;
        UringStream stream =
                connection.adopt((fd, reception) -> new UringStream(this, fd, reception, events));
        if (connection.isShared()) {
            stream.share();
        }
        return stream;
    }
}
