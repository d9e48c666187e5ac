package io.weft.engine;

import io.weft.buffer.Buffer;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A message of a datagram channel. Who has it owns its content; closing it releases that.
///
/// A received one that was longer than [ChannelOption#MAX_DATAGRAM_SIZE], 2,048 bytes by default,
/// is cut there, and nothing tells so.
///
/// @param content the payload: its readable bytes
/// @param address of its sender when it was received; of its recipient when it is sent, or null for
///     the peer of a connected channel, which refuses to send to any other address
/// @param segmentSize for sending: the content is sent as several datagrams of this many bytes, the
///     last of which may be shorter (UDP generic segmentation offload); 0: as one. More
///     than 64 segments are refused, and more than 65,507 bytes in all. 0 in what was received
/// @param destination of what was received, where the channel has
///     [ChannelOption#IP_RECVORIGDSTADDR]: whom its sender meant, which a transparent proxy has to
///     know; else null. Does not matter for sending
public record Datagram(
        Buffer content,
        @Nullable SocketAddress address,
        int segmentSize,
        @Nullable SocketAddress destination)
        implements AutoCloseable {
    public Datagram {
        if (segmentSize < 0 || segmentSize > 65_507) {
            throw new IllegalArgumentException(
                    "segmentSize: " + segmentSize + " (expected: 0 to 65507)");
        }
    }

    public Datagram(Buffer content, @Nullable SocketAddress address) {
        this(content, address, 0, null);
    }

    public Datagram(Buffer content, @Nullable SocketAddress address, int segmentSize) {
        this(content, address, segmentSize, null);
    }

    /// Releases the content.
    @Override
    public void close() {
        content.release();
    }
}
