package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;

/// The place where a machine puts what it has received in order.
public interface Inbox {
    /// Takes a copy of the next bytes of the stream.
    ///
    /// @param length at least 1
    /// @return false without memory; nothing was taken then
    boolean copy(Buffer from, int index, int length);

    /// Takes the next bytes of the stream, which it owns.
    void bytes(Buffer bytes);

    /// Takes the next message, which it owns.
    void message(Buffer message);

    /// The peer sends nothing more.
    void end();

    /// Returns the bytes that were put here and not taken by the application: they count toward the
    /// window.
    long held();
}
