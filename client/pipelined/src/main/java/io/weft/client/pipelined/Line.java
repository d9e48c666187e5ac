package io.weft.client.pipelined;

import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;

/// One connection of a client, from the attempt on: its handlers, and how it begins.
public interface Line extends ChannelInitializer {
    /// Sends what a connection begins with, and calls [Reconnection#ready], [Reconnection#refuse]
    /// or [Reconnection#giveUp] in the end.
    void greet(Channel connected);

    /// Returns the reason for which the connection was lost.
    Throwable failure();
}
