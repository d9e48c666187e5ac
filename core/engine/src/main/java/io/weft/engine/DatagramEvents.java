package io.weft.engine;

/// Events that an engine reports to a channel about its datagrams.
public interface DatagramEvents extends ChannelEvents {
    /// A datagram arrived; the receiver owns it.
    void received(Datagram datagram);
}
