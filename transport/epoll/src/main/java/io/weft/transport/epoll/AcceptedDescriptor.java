package io.weft.transport.epoll;

import io.weft.channel.spi.Accepted;
import io.weft.ffi.Libc;

/// A connection that no loop has yet.
record AcceptedDescriptor(int fd) implements Accepted {
    @Override
    public void close() {
        Libc.close(fd);
    }
}
