package io.weft.channel;

/// A write found the channel's outbound queue at its cap: the producer ignored
/// [Channel#isWritable].
public final class OutboundLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutboundLimitException(long pending, int cap) {
        super("bytes waiting to be sent: " + pending + " (expected: below the cap " + cap + ")");
    }
}
