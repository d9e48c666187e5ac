package io.weft.engine;

import java.io.IOException;

/// Events that an engine reports to a channel of any kind.
public interface ChannelEvents {
    /// Nothing more has arrived for now: a good moment to flush.
    void receiveComplete();

    /// A pending send moved `count` bytes, or datagrams; 0 means that sending may be tried again.
    void sent(int count);

    /// The connection attempt, a receive or a pending send failed: of a stream for good, so that
    /// the channel answers with [ChannelHandle#close]. A datagram socket goes on.
    void failed(IOException cause);

    /// The descriptor is closed and the kernel no longer uses the channel's buffers; the last
    /// event.
    void closed();
}
