package io.weft.channel.spi;

import io.weft.channel.Datagram;

/// Events that an engine reports to a channel about its datagrams.
public interface DatagramEvents extends ChannelEvents {
    /// A datagram arrived; the receiver owns it.
    void received(Datagram datagram);
}
