package io.weft.transport.sctp;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.Event;
import io.weft.ffi.SctpLayout.PeeloffArg;
import io.weft.ffi.SctpLayout.PeeloffFlags;
import io.weft.ffi.SockAddr;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.loop.EventExecutor;
import io.weft.transport.posix.Addresses;
import io.weft.transport.posix.OwnedDescriptor;
import io.weft.transport.posix.SocketOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A descriptor of SCTP; non-blocking and close-on-exec.
///
/// **A peeled-off socket** is for the kernel one of many associations that has lost the others:
/// calls say nothing of the association's end, but notifications do, and a message without content
/// ends it where others have `shutdown`.
///
/// @param family that addresses are written for: `AF_INET6` takes both
/// @param peeled the association that was peeled off; 0: none was
record SctpSocket(int fd, int family, SctpMode mode, int peeled) {
    /// Extensions that other options ask for.
    private static final List<ChannelOption<Boolean>> EXTENSIONS =
            List.of(
                    SctpOption.AUTH_SUPPORTED,
                    SctpOption.ASCONF_SUPPORTED,
                    SctpOption.RECONFIG_SUPPORTED);

    /// Notifications that tell of a peeled-off association's end.
    private static final Set<SctpNotification.Kind> OF_END =
            Set.of(SctpNotification.Kind.ASSOCIATION, SctpNotification.Kind.SHUTDOWN);

    SctpSocket(int fd, int family, SctpMode mode) {
        this(fd, family, mode, 0);
    }

    /// Opens a socket that reaches `address`, with its options.
    ///
    /// @throws SctpUnavailableException when there is no SCTP here
    /// @throws IOException when the kernel refuses an option; nothing is left open then
    static SctpSocket open(SctpAddress address, ChannelOptions options) throws IOException {
        String system = system();
        if (system != null) {
            throw new SctpUnavailableException(address + ": " + system);
        }
        int family =
                isIpv4(address.sockets()) && isIpv4(address.local())
                        ? Sockets.AF_INET
                        : Sockets.AF_INET6;
        int fd = socket(family, address.mode());
        if (fd < 0) {
            throw isMissing(-fd)
                    ? new SctpUnavailableException(address + ": " + missing(-fd))
                    : SocketErrors.failure(-fd, "socket for " + address);
        }
        return OwnedDescriptor.of(
                fd,
                () -> {
                    SctpSocket made = new SctpSocket(fd, family, address.mode());
                    made.configure(options);
                    return made;
                });
    }

    private static int socket(int family, SctpMode mode) {
        int type = mode == SctpMode.ASSOCIATIONS ? Sockets.SOCK_SEQPACKET : Sockets.SOCK_STREAM;
        return Sockets.socket(
                family, type | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC, Sctp.IPPROTO_SCTP);
    }

    /// Takes an association off the socket that has it among others.
    ///
    /// @throws IOException when there is no such association, or on another loop than the socket's;
    ///     nothing is left open then
    static SctpSocket peelOff(
            SctpAddress.Peeling peeling, EventExecutor loop, SctpMode mode, ChannelOptions options)
            throws IOException {
        String what = "peel off association " + peeling.association() + " of " + peeling.many();
        if (peeling.many().eventLoop() != loop) {
            throw new IOException(
                    what + ": on another loop (expected: new Bootstrap(many.eventLoop()))");
        }
        SctpSocket many = peeling.many().getOption(SctpOption.SOCKET);
        int fd = peelOff(many.fd, peeling.association());
        if (fd < 0) {
            throw SocketErrors.failure(-fd, what);
        }
        return OwnedDescriptor.of(
                fd,
                () -> {
                    SctpSocket made = new SctpSocket(fd, many.family, mode, peeling.association());
                    made.configure(options);
                    return made;
                });
    }

    private static int peelOff(int many, int association) {
        long at = Memory.allocate(PeeloffFlags.SIZE + Integer.BYTES, 8);
        try {
            Memory.putInt(at + PeeloffFlags.P_ARG + PeeloffArg.ASSOCID, association);
            Memory.putInt(at + PeeloffFlags.P_ARG + PeeloffArg.SD, -1);
            Memory.putInt(at + PeeloffFlags.FLAGS, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
            long length = at + PeeloffFlags.SIZE;
            Memory.putInt(length, PeeloffFlags.SIZE);
            return Sockets.getsockopt(
                    many, Sctp.IPPROTO_SCTP, Sctp.SCTP_SOCKOPT_PEELOFF_FLAGS, at, length);
        } finally {
            Memory.free(at, PeeloffFlags.SIZE + Integer.BYTES);
        }
    }

    private static boolean isIpv4(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .allMatch(a -> SockAddr.familyFor(a.getAddress()) == Sockets.AF_INET);
    }

    /// Returns the reason why there is no SCTP here; null if there is.
    static @Nullable String refusal() {
        String system = system();
        if (system != null) {
            return system;
        }
        int fd = socket(Sockets.AF_INET, SctpMode.BYTES);
        if (fd >= 0) {
            Libc.close(fd);
            return null;
        }
        return missing(-fd);
    }

    private static @Nullable String system() {
        String os = System.getProperty("os.name");
        return os.equals("Linux") ? NativeAccess.refusal() : "os: " + os + " (expected: Linux)";
    }

    private static boolean isMissing(int errno) {
        return errno == Errno.EPROTONOSUPPORT
                || errno == Errno.ESOCKTNOSUPPORT
                || errno == Errno.EINVAL;
    }

    private static String missing(int errno) {
        return "SCTP: "
                + Errno.describe(errno)
                + " (expected: a kernel with SCTP; modprobe sctp loads it where it is a module)";
    }

    /// Watches the descriptor.
    ///
    /// @throws SctpUnavailableException when the engine watches none
    ReadyHandle watch(Engine engine, ReadyEvents events) throws IOException {
        try {
            return engine.watch(fd, events);
        } catch (UnsupportedOperationException e) {
            throw new SctpUnavailableException(
                    "SCTP: " + e.getMessage() + " (expected: io_uring or epoll)", e);
        }
    }

    // ---- options ----

    private void configure(ChannelOptions options) throws IOException {
        // Options by number may need the extension that they belong to.
        for (ChannelOption<Boolean> extension : EXTENSIONS) {
            if (options.isSet(extension)) {
                apply(options, extension);
            }
        }
        int linger = options.get(ChannelOption.SO_LINGER);
        // A positive one would have a close wait on the loop.
        SocketOptions.configure(
                fd, linger > 0 ? options.with(ChannelOption.SO_LINGER, -1) : options);
        check(
                Sockets.setOption(fd, Sctp.IPPROTO_SCTP, Sctp.SCTP_RECVRCVINFO, 1),
                "setsockopt SCTP_RECVRCVINFO");
        // A peeled-off socket begins with what the other one had.
        Set<SctpNotification.Kind> before =
                peeled == 0 ? Set.of() : EnumSet.allOf(SctpNotification.Kind.class);
        subscribe(before, Set.of());
        subscribe(Set.of(), options.get(SctpOption.NOTIFICATIONS));
        apply(options, SctpOption.NODELAY);
        if (options.isSet(SctpOption.FRAGMENT_INTERLEAVE)) {
            apply(options, SctpOption.FRAGMENT_INTERLEAVE); // others ask for it
        }
        for (ChannelOption<?> option : options.set()) {
            apply(options, option);
        }
    }

    private <T> void apply(ChannelOptions options, ChannelOption<T> option) throws IOException {
        Setting<T> known = Settings.of(option);
        if (known != null) {
            known.set(fd, option, options.get(option));
        }
    }

    /// Asks for these kinds of notifications in place of others.
    void subscribe(Set<SctpNotification.Kind> before, Set<SctpNotification.Kind> now)
            throws IOException {
        for (SctpNotification.Kind kind : SctpNotification.Kind.values()) {
            if (before.contains(kind) != now.contains(kind)) {
                boolean on = now.contains(kind) || (peeled != 0 && OF_END.contains(kind));
                check(subscribe(kind, on), "setsockopt SCTP_EVENT " + kind);
            }
        }
    }

    private int subscribe(SctpNotification.Kind kind, boolean on) {
        long at = Memory.allocate(Event.SIZE, 8);
        try {
            Memory.fill(at, Event.SIZE, (byte) 0);
            boolean many = mode == SctpMode.ASSOCIATIONS;
            Memory.putInt(
                    at + Event.SE_ASSOC_ID, many ? Sctp.SCTP_ALL_ASSOC : Sctp.SCTP_FUTURE_ASSOC);
            Memory.putShort(at + Event.SE_TYPE, (short) kind.number());
            Memory.putByte(at + Event.SE_ON, (byte) (on ? 1 : 0));
            return Sockets.setsockopt(fd, Sctp.IPPROTO_SCTP, Sctp.SCTP_EVENT, at, Event.SIZE);
        } finally {
            Memory.free(at, Event.SIZE);
        }
    }

    private static void check(int result, String what) throws IOException {
        if (result < 0) {
            throw SocketErrors.failure(-result, what);
        }
    }

    // ---- addresses ----

    /// Binds to the addresses: to the first one's port, which the system chooses if it is 0.
    void bind(List<InetSocketAddress> addresses) throws IOException {
        check(withName(addresses.getFirst(), true), "bind " + addresses.getFirst());
        if (addresses.size() == 1) {
            return;
        }
        int port = ((InetSocketAddress) bound()).getPort();
        List<InetSocketAddress> others =
                addresses.stream()
                        .skip(1)
                        .map(other -> new InetSocketAddress(other.getAddress(), port))
                        .toList();
        check(AddressList.set(fd, Sctp.SCTP_SOCKOPT_BINDX_ADD, others), "bind " + others);
    }

    private SocketAddress bound() throws IOException {
        SocketAddress bound = Addresses.local(fd);
        if (bound == null) {
            throw new IOException("getsockname: none (expected: a bound socket)");
        }
        return bound;
    }

    private int withName(InetSocketAddress address, boolean bind) {
        long at = Memory.allocate(SockAddr.SIZE, 8);
        try {
            int length = SockAddr.write(address, family, at);
            return bind ? Sockets.bind(fd, at, length) : Sockets.connect(fd, at, length);
        } finally {
            Memory.free(at, SockAddr.SIZE);
        }
    }

    void listen(int backlog) throws IOException {
        check(Sockets.listen(fd, backlog), "listen");
    }

    /// Begins to connect; the outcome follows when the descriptor is writable.
    void connect(List<InetSocketAddress> peers) throws IOException {
        int result =
                peers.size() == 1
                        ? withName(peers.getFirst(), false)
                        : AddressList.set(fd, Sctp.SCTP_SOCKOPT_CONNECTX, peers);
        if (result != -Errno.EINPROGRESS) {
            check(result, "connect " + peers);
        }
    }

    /// Returns the outcome of connecting: 0, an errno, or `EINPROGRESS`.
    int outcome() {
        long error = Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR);
        if (error != 0) {
            return (int) Math.abs(error);
        }
        return Addresses.remote(fd) == null ? Errno.EINPROGRESS : 0;
    }

    /// Returns the addresses that the kernel tells, those of the peer or of this side; null where
    /// there are none.
    @Nullable SctpAddress address(boolean ofPeer) {
        try {
            List<InetSocketAddress> sockets =
                    AddressList.get(
                            fd, ofPeer ? Sctp.SCTP_GET_PEER_ADDRS : Sctp.SCTP_GET_LOCAL_ADDRS);
            return sockets.isEmpty()
                    ? null
                    : SctpAddress.of(
                            mode,
                            sockets.subList(0, Math.min(sockets.size(), SctpAddress.MAX_SOCKETS)));
        } catch (IOException e) {
            return null;
        }
    }

    /// Returns the address that a listener is told to have: a wildcard stays one.
    SctpAddress listening(SctpAddress asked) throws IOException {
        if (asked.sockets().size() == 1) {
            return SctpAddress.of(mode, List.of((InetSocketAddress) bound()));
        }
        SctpAddress all = address(false);
        return all == null ? asked : all;
    }

    /// Binds and unbinds so that these are the addresses.
    void rebind(List<InetSocketAddress> wanted) throws IOException {
        List<InetSocketAddress> now = AddressList.get(fd, Sctp.SCTP_GET_LOCAL_ADDRS);
        List<InetSocketAddress> more = wanted.stream().filter(a -> !now.contains(a)).toList();
        List<InetSocketAddress> gone = now.stream().filter(a -> !wanted.contains(a)).toList();
        if (!more.isEmpty()) {
            check(AddressList.set(fd, Sctp.SCTP_SOCKOPT_BINDX_ADD, more), "bind " + more);
        }
        if (!gone.isEmpty()) {
            check(AddressList.set(fd, Sctp.SCTP_SOCKOPT_BINDX_REM, gone), "unbind " + gone);
        }
    }

    // ---- the end ----

    /// Shuts the only association down once everything was sent.
    void shutdown() {
        int _ =
                peeled == 0
                        ? Sockets.shutdown(fd, Sockets.SHUT_WR)
                        : command(Sctp.SCTP_EOF, peeled);
    }

    /// Sends no message, but what `flags` mean for an association.
    ///
    /// @return -errno if that failed
    int command(int flags, int association) {
        try (Envelope envelope = new Envelope()) {
            envelope.command(flags, association);
            return Calls.KERNEL.send(fd, envelope.header());
        }
    }

    void close() {
        Libc.close(fd);
    }
}
