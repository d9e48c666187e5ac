package io.weft.transport.posix;

import io.weft.channel.spi.Accepted;
import io.weft.ffi.Libc;

/// A connection that no loop has yet.
public record AcceptedDescriptor(int fd) implements Accepted {
    @Override
    public void close() {
        Libc.close(fd);
    }
}
