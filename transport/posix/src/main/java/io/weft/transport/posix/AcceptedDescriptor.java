package io.weft.transport.posix;

import io.weft.engine.Accepted;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/// A connection that no loop has yet. It goes to one owner, which adopts or closes it; later ones
/// find it gone, as its number may be another descriptor's then.
public final class AcceptedDescriptor implements Accepted {
    private static final AtomicIntegerFieldUpdater<AcceptedDescriptor> GONE =
            AtomicIntegerFieldUpdater.newUpdater(AcceptedDescriptor.class, "gone");

    private final int fd;
    private final Reception reception;
    private final boolean shared;

    /// 1 when it has gone to its owner; a number, as there is no updater for flags.
    @SuppressWarnings("UnusedVariable") // read by GONE
    private volatile int gone;

    public AcceptedDescriptor(int fd, Reception reception) {
        this(fd, reception, false);
    }

    private AcceptedDescriptor(int fd, Reception reception, boolean shared) {
        this.fd = fd;
        this.reception = reception;
        this.shared = shared;
    }

    /// Maker of what owns a descriptor.
    ///
    /// @param <T> the owner
    @FunctionalInterface
    public interface Adoption<T> {
        /// Returns the owner of `fd`.
        T of(int fd, Reception reception);
    }

    /// Makes the descriptor that of `adoption`'s result. If `adoption` throws, the descriptor is
    /// closed.
    ///
    /// @throws ClosedChannelException if it was adopted or closed before
    public <T> T adopt(Adoption<T> adoption) throws ClosedChannelException {
        if (!GONE.compareAndSet(this, 0, 1)) {
            throw new ClosedChannelException();
        }
        return OwnedDescriptor.of(fd, () -> adoption.of(fd, reception));
    }

    /// Tells if another descriptor, perhaps of another process, may be of the same connection.
    public boolean isShared() {
        return shared;
    }

    /// A connected stream's descriptor that came from elsewhere.
    ///
    /// @param nonBlocking whether it has to be
    /// @throws IOException when it is no stream
    public static AcceptedDescriptor of(int fd, boolean nonBlocking) throws IOException {
        long type = Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_TYPE);
        if (type != Sockets.SOCK_STREAM) {
            throw type < 0
                    ? SocketErrors.failure((int) -type, "descriptor " + fd)
                    : new IOException(
                            "descriptor " + fd + ": of type " + type + " (expected: a stream)");
        }
        int _ = Libc.blocking(fd, !nonBlocking);
        boolean unix = Reception.family(fd) == Sockets.AF_UNIX;
        return new AcceptedDescriptor(fd, unix ? Reception.UNIX_BYTES : Reception.BYTES, true);
    }

    @Override
    public void close() {
        if (GONE.compareAndSet(this, 0, 1)) {
            Libc.close(fd);
        }
    }
}
