package io.weft.handler.codec;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A message that travels in a datagram of its own.
///
/// @param address of its sender when it was received; of its recipient when it is sent, or null for
///     the peer of a connected channel
/// @param <M> the messages
public record Envelope<M>(M message, @Nullable SocketAddress address) {}
