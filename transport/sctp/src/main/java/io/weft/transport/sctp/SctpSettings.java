package io.weft.transport.sctp;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.ffi.Sctp;
import io.weft.ffi.SocketErrors;
import io.weft.transport.posix.SocketOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/// Options of one open socket.
final class SctpSettings {
    private final SctpSocket socket;
    private final int receiveSize;
    private Set<SctpNotification.Kind> notifications;
    private int greatestMessage;

    /// @throws IllegalArgumentException when an option is out of its range
    SctpSettings(SctpSocket socket, ChannelOptions options) throws IOException {
        this.socket = socket;
        receiveSize = options.get(SctpOption.RECEIVE_SIZE);
        SctpOption.check("receive size", receiveSize, 256, 256 << 10);
        notifications = Set.copyOf(options.get(SctpOption.NOTIFICATIONS));
        greatestMessage = SocketOptions.get(socket.fd(), ChannelOption.SO_SNDBUF);
    }

    int receiveSize() {
        return receiveSize;
    }

    /// Returns the bytes of a message at most: the kernel's send buffer.
    int greatestMessage() {
        return greatestMessage;
    }

    @SuppressWarnings({"unchecked", "unused"}) // the option is one of this type
    private static <T> T cast(ChannelOption<T> option, Object value) {
        return (T) value;
    }

    <T> T get(ChannelOption<T> option) throws IOException {
        if (option == SctpOption.NOTIFICATIONS) {
            return cast(option, notifications);
        }
        if (option == SctpOption.RECEIVE_SIZE) {
            return cast(option, receiveSize);
        }
        if (option == SctpOption.SOCKET) {
            return cast(option, socket);
        }
        if (option == SctpOption.LOCAL_ADDRESSES) {
            return cast(option, AddressList.get(socket.fd(), Sctp.SCTP_GET_LOCAL_ADDRS));
        }
        if (option == SctpOption.PEER_ADDRESSES) {
            return cast(option, AddressList.get(socket.fd(), Sctp.SCTP_GET_PEER_ADDRS));
        }
        Setting<T> known = Settings.of(option);
        return known == null
                ? SocketOptions.get(socket.fd(), option)
                : known.get(socket.fd(), option);
    }

    <T> void set(ChannelOption<T> option, T value) throws IOException {
        if (option == SctpOption.NOTIFICATIONS) {
            Set<SctpNotification.Kind> wanted = Set.copyOf(cast(SctpOption.NOTIFICATIONS, value));
            socket.subscribe(notifications, wanted);
            notifications = wanted;
        } else if (option == SctpOption.RECEIVE_SIZE
                || option == SctpOption.PEER_ADDRESSES
                || option == SctpOption.SOCKET) {
            throw new UnsupportedOperationException(option + ": can only be read");
        } else if (option == SctpOption.LOCAL_ADDRESSES) {
            List<InetSocketAddress> addresses = cast(SctpOption.LOCAL_ADDRESSES, value);
            socket.rebind(addresses);
        } else if (option == SctpOption.SHUTDOWN) {
            command(Sctp.SCTP_EOF, (Integer) value);
        } else if (option == SctpOption.ABORT) {
            command(Sctp.SCTP_ABORT, (Integer) value);
        } else if (option == SctpOption.RESET_STREAMS) {
            SctpStreamReset reset = (SctpStreamReset) value;
            Settings.reset(reset).set(socket.fd(), SctpOption.RESET_STREAMS, reset);
        } else if (option == ChannelOption.SO_LINGER && (Integer) value > 0) {
            // A positive one would have a close wait on the loop.
            SocketOptions.set(socket.fd(), ChannelOption.SO_LINGER, -1);
        } else {
            setOfKernel(option, value);
        }
    }

    private <T> void setOfKernel(ChannelOption<T> option, T value) throws IOException {
        Setting<T> known = Settings.of(option);
        if (known != null) {
            known.set(socket.fd(), option, value);
            return;
        }
        SocketOptions.set(socket.fd(), option, value);
        greatestMessage = SocketOptions.get(socket.fd(), ChannelOption.SO_SNDBUF);
    }

    private void command(int flags, int association) throws IOException {
        if (socket.mode() != SctpMode.ASSOCIATIONS) {
            throw new UnsupportedOperationException(
                    "end of one association: of " + socket.mode() + " (expected: close)");
        }
        int result = socket.command(flags, association);
        if (result < 0) {
            throw SocketErrors.failure(-result, "end of association " + association);
        }
    }
}
