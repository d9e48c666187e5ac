package io.weft.transport.posix;

import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.ffi.Libc;

/// A socket for datagrams as a target of readiness; to be registered by the caller, without
/// interest.
final class ReadinessDatagrams implements ReadinessTarget, DatagramDescriptor.Watch {
    final int slot;
    final DatagramDescriptor descriptor;
    private final ReadinessEngine engine;
    private final int fd;
    private final DatagramEvents events;
    private int interest;

    ReadinessDatagrams(
            ReadinessEngine engine,
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
        int before = interest;
        interest = wanted;
        int _ = engine.queue.change(fd, before, wanted, engine.key(slot));
    }

    @Override
    public void ready(int ready) {
        descriptor.ready(ready);
    }

    @Override
    public void close() {
        engine.slots.remove(slot);
        engine.queue.closing(fd, interest, false);
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
