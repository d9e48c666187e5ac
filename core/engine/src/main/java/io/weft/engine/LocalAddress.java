package io.weft.engine;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/// The address of a channel within this process: a name, which belongs to a listener as long as
/// that is open. Streams between such addresses work on every transport, also between loops of
/// different ones, and use no socket.
///
/// They behave like TCP: bytes in order, a bounded number of them under way (`SO_SNDBUF` of one
/// side and `SO_RCVBUF` of the other), half-close, resets.
public final class LocalAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private static final AtomicLong UNIQUE = new AtomicLong();

    private final String name;

    private LocalAddress(String name) {
        this.name = name;
    }

    /// @throws IllegalArgumentException when `name` is empty
    public static LocalAddress of(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name: empty (expected: at least a character)");
        }
        return new LocalAddress(name);
    }

    /// Returns an address that no other listener or channel has.
    public static LocalAddress unique() {
        return new LocalAddress("#" + UNIQUE.incrementAndGet());
    }

    public String name() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LocalAddress that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return "local:" + name;
    }
}
