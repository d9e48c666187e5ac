package io.weft.transport.udt;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The address of a UDT socket: a UDP port, the service that is spoken there, and the limits.
///
/// ```java
/// new ServerBootstrap(group).childHandler(…).bind(UdtAddress.of(new InetSocketAddress(9000)));
/// new Bootstrap(group).handler(…).connect(UdtAddress.of(server));
/// new Bootstrap(group).handler(…).connect(UdtAddress.messages(server));
/// new Bootstrap(group).handler(…).connect(UdtAddress.of(peer).rendezvous(local));
/// ```
///
/// Two addresses are equal if they have the same socket address and mode.
public final class UdtAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final InetSocketAddress socket;
    private final UdtMode mode;
    private final transient UdtLimits limits;
    private final @Nullable InetSocketAddress local;
    private final boolean rendezvous;

    private UdtAddress(
            InetSocketAddress socket,
            UdtMode mode,
            UdtLimits limits,
            @Nullable InetSocketAddress local,
            boolean rendezvous) {
        this.socket = socket;
        this.mode = mode;
        this.limits = limits;
        this.local = local;
        this.rendezvous = rendezvous;
    }

    /// Returns an address for streams.
    ///
    /// @throws IllegalArgumentException when `socket` is not resolved
    public static UdtAddress of(InetSocketAddress socket) {
        return of(socket, UdtMode.STREAM);
    }

    /// Returns an address for messages.
    ///
    /// @throws IllegalArgumentException when `socket` is not resolved
    public static UdtAddress messages(InetSocketAddress socket) {
        return of(socket, UdtMode.MESSAGE);
    }

    private static UdtAddress of(InetSocketAddress socket, UdtMode mode) {
        return new UdtAddress(resolved("socket", socket), mode, UdtLimits.DEFAULT, null, false);
    }

    private static InetSocketAddress resolved(String name, InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    name + ": " + address + " (expected: a resolved address)");
        }
        return address;
    }

    /// Returns the same address with other limits.
    public UdtAddress with(UdtLimits other) {
        return new UdtAddress(socket, mode, Objects.requireNonNull(other), local, rendezvous);
    }

    /// Returns an address that is connected to from the UDP port `from`. Connections of one loop
    /// from the same port share it; port 0 is a new one.
    public UdtAddress from(InetSocketAddress from) {
        return new UdtAddress(socket, mode, limits, resolved("from", from), false);
    }

    /// Returns an address of a peer that connects at the same time to `from`, this side's own: both
    /// get through routers that let in what answers to something sent. Neither listens.
    public UdtAddress rendezvous(InetSocketAddress from) {
        return new UdtAddress(socket, mode, limits, resolved("from", from), true);
    }

    /// The address of the UDP socket.
    public InetSocketAddress socket() {
        return socket;
    }

    public UdtMode mode() {
        return mode;
    }

    public UdtLimits limits() {
        return limits == null ? UdtLimits.DEFAULT : limits; // null after deserialization
    }

    /// The port to connect from; null: one of its own.
    public @Nullable InetSocketAddress local() {
        return local;
    }

    public boolean isRendezvous() {
        return rendezvous;
    }

    /// Returns the address of the same service at another socket.
    UdtAddress at(InetSocketAddress other) {
        return new UdtAddress(other, mode, limits(), null, false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UdtAddress that && socket.equals(that.socket) && mode == that.mode;
    }

    @Override
    public int hashCode() {
        return socket.hashCode() * 31 + mode.hashCode();
    }

    @Override
    public String toString() {
        return (mode == UdtMode.STREAM ? "udt:" : "udt-messages:") + socket;
    }
}
