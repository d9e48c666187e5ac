package io.weft.transport.epoll;

import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.ffi.Libc;
import io.weft.transport.posix.DatagramDescriptor;
import io.weft.transport.posix.SocketDescriptor;

/// A socket for datagrams as a target of `epoll_wait`; to be registered by the caller, without
/// interest.
final class EpollDatagrams implements Target, DatagramDescriptor.Watch {
    final int slot;
    final DatagramDescriptor descriptor;
    private final EpollEngine engine;
    private final int fd;
    private final DatagramEvents events;

    EpollDatagrams(
            EpollEngine engine,
            SocketDescriptor socket,
            ChannelOptions options,
            DatagramEvents events) {
        this.engine = engine;
        this.fd = socket.fd();
        this.events = events;
        this.descriptor = new DatagramDescriptor(socket, options, engine.messages(), events, this);
        this.slot = engine.slots.add(this);
    }

    @Override
    public void interest(int wanted) {
        engine.change(fd, wanted, engine.key(slot));
    }

    @Override
    public void ready(int ready) {
        descriptor.ready(ready);
    }

    @Override
    public void close() {
        engine.slots.remove(slot);
        Libc.close(fd);
        events.closed();
    }

    @Override
    public void abandon() {
        descriptor.close(true);
    }

    @Override
    public String toString() {
        return descriptor.toString();
    }
}
