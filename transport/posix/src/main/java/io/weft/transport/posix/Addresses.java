package io.weft.transport.posix;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/// What addresses the engines on descriptors take.
public final class Addresses {
    private Addresses() {}

    /// @throws UnsupportedAddressTypeException when it is no internet address
    /// @throws UnresolvedAddressException when it is a name only
    public static InetSocketAddress inet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return inet;
    }
}
