package io.weft.channel;

/// Fills the pipeline of a new channel, on the channel's loop, before its first event. What it
/// throws closes the channel.
@FunctionalInterface
public interface ChannelInitializer {
    void initChannel(Channel channel) throws Exception;
}
