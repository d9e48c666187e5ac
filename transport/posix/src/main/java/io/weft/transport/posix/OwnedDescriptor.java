package io.weft.transport.posix;

import io.weft.ffi.Libc;

/// Hands a descriptor over to what is made around it, so that it has an owner at any time.
public final class OwnedDescriptor {
    private OwnedDescriptor() {}

    /// Maker of a descriptor's owner.
    ///
    /// @param <T> the owner
    /// @param <X> the reason for which there may be none
    @FunctionalInterface
    public interface Maker<T, X extends Exception> {
        /// Returns the owner.
        T make() throws X;
    }

    /// Returns what `maker` makes, which owns `fd`. If `maker` throws, an `Error` too, `fd` is
    /// closed.
    public static <T, X extends Exception> T of(int fd, Maker<T, X> maker) throws X {
        try {
            return maker.make();
        } catch (Throwable t) {
            Libc.close(fd);
            throw t;
        }
    }
}
