package io.weft.transport.sctp;

import io.weft.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The address of an SCTP endpoint: one or several addresses of a host with the same port, and the
/// service that is spoken there.
///
/// ```java
/// new ServerBootstrap(group).childHandler(…).bind(SctpAddress.messages(first, second));
/// new Bootstrap(group).handler(…).connect(SctpAddress.messages(server));
/// new Bootstrap(group).handler(…).connect(SctpAddress.associations(local));
/// ```
///
/// Two addresses are equal if they have the same sockets and mode.
public final class SctpAddress extends SocketAddress {
    /// Addresses of one endpoint at most.
    public static final int MAX_SOCKETS = 64;

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // List.of is serializable
    private final List<InetSocketAddress> sockets;

    @SuppressWarnings("serial")
    private final List<InetSocketAddress> local;

    private final SctpMode mode;

    private final transient @Nullable Peeling peeling;

    /// An association that is to be taken off its socket.
    record Peeling(Channel many, int association) {}

    private SctpAddress(
            SctpMode mode,
            List<InetSocketAddress> sockets,
            List<InetSocketAddress> local,
            @Nullable Peeling peeling) {
        this.mode = mode;
        this.sockets = checked("sockets", sockets, 1);
        this.local = checked("local", local, 0);
        this.peeling = peeling;
    }

    private SctpAddress(SctpMode mode, List<InetSocketAddress> sockets) {
        this(mode, sockets, List.of(), null);
    }

    private static List<InetSocketAddress> checked(
            String name, List<InetSocketAddress> sockets, int least) {
        if (sockets.size() < least || sockets.size() > MAX_SOCKETS) {
            throw new IllegalArgumentException(
                    name
                            + ": "
                            + sockets.size()
                            + " (expected: "
                            + least
                            + " to "
                            + MAX_SOCKETS
                            + ")");
        }
        for (InetSocketAddress socket : sockets) {
            if (socket.isUnresolved() || socket.getPort() != sockets.getFirst().getPort()) {
                throw new IllegalArgumentException(
                        name + ": " + sockets + " (expected: resolved addresses of one port)");
            }
        }
        return List.copyOf(sockets);
    }

    /// Returns an address for byte streams.
    ///
    /// @throws IllegalArgumentException when one is not resolved, or their ports differ
    public static SctpAddress of(InetSocketAddress... sockets) {
        return new SctpAddress(SctpMode.BYTES, List.of(sockets));
    }

    /// Returns an address for messages.
    ///
    /// @throws IllegalArgumentException as [#of]
    public static SctpAddress messages(InetSocketAddress... sockets) {
        return new SctpAddress(SctpMode.MESSAGES, List.of(sockets));
    }

    /// Returns the local address of a socket with any number of associations. A channel that
    /// connects to it is bound to these sockets, accepts associations, and makes one with whoever
    /// it sends to.
    ///
    /// @throws IllegalArgumentException as [#of]
    public static SctpAddress associations(InetSocketAddress... sockets) {
        return new SctpAddress(SctpMode.ASSOCIATIONS, List.of(sockets));
    }

    static SctpAddress of(SctpMode mode, List<InetSocketAddress> sockets) {
        return new SctpAddress(mode, sockets);
    }

    /// Returns an address that is connected to from these of this host.
    ///
    /// @throws IllegalArgumentException as [#of]
    public SctpAddress from(InetSocketAddress... from) {
        return new SctpAddress(mode, sockets, List.of(from), null);
    }

    /// Returns an address that is connected to by peeling its association off the socket that has
    /// it among others (`sctp_peeloff`): the new channel goes on with what was not yet received,
    /// and the end of one no longer concerns the other. It always has the notifications of its
    /// association and of its shutdown, which tell of its end. To be connected to on the loop of
    /// `many`, by `new Bootstrap(many.eventLoop())`.
    ///
    /// @param many a channel of [SctpMode#ASSOCIATIONS]
    /// @param association as messages and notifications of `many` name it
    /// @throws IllegalArgumentException when this is an address of [SctpMode#ASSOCIATIONS] itself
    public SctpAddress peeledFrom(Channel many, int association) {
        if (mode == SctpMode.ASSOCIATIONS) {
            throw new IllegalArgumentException(
                    "mode: " + mode + " (expected: BYTES or MESSAGES, of one association)");
        }
        return new SctpAddress(mode, sockets, local, new Peeling(many, association));
    }

    /// Returns the addresses of the host, the first one first; at least one.
    public List<InetSocketAddress> sockets() {
        return sockets;
    }

    /// Returns the addresses to connect from; empty: those that the system chooses.
    public List<InetSocketAddress> local() {
        return local;
    }

    @Nullable Peeling peeling() {
        return peeling;
    }

    public SctpMode mode() {
        return mode;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SctpAddress that
                && mode == that.mode
                && sockets.equals(that.sockets);
    }

    @Override
    public int hashCode() {
        return sockets.hashCode() * 31 + mode.hashCode();
    }

    @Override
    public String toString() {
        String name =
                switch (mode) {
                    case BYTES -> "sctp:";
                    case MESSAGES -> "sctp-messages:";
                    case ASSOCIATIONS -> "sctp-associations:";
                };
        return name + (sockets.size() == 1 ? sockets.getFirst() : sockets);
    }
}
