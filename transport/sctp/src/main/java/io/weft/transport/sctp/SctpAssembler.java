package io.weft.transport.sctp;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts messages together that come in pieces, because they are longer than
/// [SctpOption#RECEIVE_SIZE] or are delivered partially.
///
/// A message that exceeds the limit, or comes in pieces while too many others do, fails the channel
/// with a [SctpMessageTooLongException].
public final class SctpAssembler implements ChannelHandler {
    /// Messages that may be incomplete at a time.
    private static final int MAX_INCOMPLETE = 256;

    private record Place(int association, int stream, boolean unordered) {}

    private final int limit;
    private final Map<Place, SctpMessage> incomplete = new HashMap<>(0);
    private long held;

    /// @param limit of a message, and of all incomplete ones together, in bytes
    /// @throws IllegalArgumentException when it is less than 1
    public SctpAssembler(int limit) {
        SctpOption.check("limit", limit, 1, Integer.MAX_VALUE);
        this.limit = limit;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object read) throws IOException {
        if (!(read instanceof SctpMessage message)
                || (message.complete() && incomplete.isEmpty())) {
            ctx.fireChannelRead(read);
            return;
        }
        Place place = new Place(message.association(), message.stream(), message.unordered());
        SctpMessage first = incomplete.get(place);
        if (first == null && message.complete()) {
            ctx.fireChannelRead(message);
            return;
        }
        if (!fits(first, message)) {
            message.close();
            throw new SctpMessageTooLongException(
                    "message: longer than "
                            + limit
                            + " bytes, or one of more than "
                            + MAX_INCOMPLETE
                            + " that are incomplete");
        }
        SctpMessage longer = first == null ? begin(message) : append(first, message);
        if (message.complete()) {
            incomplete.remove(place);
            held -= longer.content().readableBytes();
            ctx.fireChannelRead(longer.withComplete(true));
        } else {
            incomplete.put(place, longer);
        }
    }

    private boolean fits(@Nullable SctpMessage first, SctpMessage next) {
        return held + next.content().readableBytes() <= limit
                && (first != null || incomplete.size() < MAX_INCOMPLETE);
    }

    private SctpMessage begin(SctpMessage piece) {
        int length = piece.content().readableBytes();
        try (piece) {
            Buffer whole = BufferAllocator.pooled().allocate(length, limit);
            held += length;
            return piece.withContent(whole.writeBytes(piece.content()));
        }
    }

    private SctpMessage append(SctpMessage first, SctpMessage piece) {
        try (piece) {
            int length = piece.content().readableBytes();
            first.content().writeBytes(piece.content());
            held += length;
            return first;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SctpNotification.PartialDeliveryAborted aborted) {
            drop(new Place(aborted.association(), aborted.stream(), false));
            drop(new Place(aborted.association(), aborted.stream(), true));
        } else if (event instanceof SctpNotification.AssociationChange change
                && change.state() != SctpNotification.AssociationState.UP) {
            for (Place place : List.copyOf(incomplete.keySet())) {
                if (place.association == change.association()) {
                    drop(place);
                }
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    private void drop(Place place) {
        SctpMessage first = incomplete.remove(place);
        if (first != null) {
            held -= first.content().readableBytes();
            first.close();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        incomplete.values().forEach(SctpMessage::close);
        incomplete.clear();
        held = 0;
    }
}
