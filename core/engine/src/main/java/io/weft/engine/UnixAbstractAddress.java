package io.weft.engine;

import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The address of a Unix domain socket in the abstract namespace of Linux: a name that is no file
/// and goes when its listener does. For the io_uring and epoll transports. Paths are
/// `java.net.UnixDomainSocketAddress`.
public final class UnixAbstractAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private static final int MAX_NAME = 107;

    private final byte[] name;

    private UnixAbstractAddress(byte[] name) {
        if (name.length == 0 || name.length > MAX_NAME) {
            throw new IllegalArgumentException(
                    "length of the name: " + name.length + " (expected: 1 to " + MAX_NAME + ")");
        }
        this.name = name;
    }

    /// @throws IllegalArgumentException when `name` is not 1 to 107 bytes in UTF-8
    public static UnixAbstractAddress of(String name) {
        return new UnixAbstractAddress(name.getBytes(StandardCharsets.UTF_8));
    }

    /// @throws IllegalArgumentException when `name` is not 1 to 107 bytes
    public static UnixAbstractAddress of(byte[] name) {
        return new UnixAbstractAddress(name.clone());
    }

    /// The name, without the zero byte that the kernel has before it.
    public byte[] name() {
        return name.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnixAbstractAddress that && Arrays.equals(name, that.name);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(name);
    }

    /// As `ss` and `/proc/net/unix` show it.
    @Override
    public String toString() {
        return "@" + new String(name, StandardCharsets.UTF_8);
    }
}
