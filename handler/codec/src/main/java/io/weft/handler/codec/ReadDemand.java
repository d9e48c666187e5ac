package io.weft.handler.codec;

import io.weft.channel.ChannelHandlerContext;

/// The demand for input of a handler that makes messages of what it gets: where the channel does
/// not read by itself, a `read` asks for a message, so a batch that makes none is followed by the
/// next one.
final class ReadDemand {
    // Of the current batch.
    private boolean consumed;
    private boolean produced;

    /// The handler took something that may make no message.
    void consumed() {
        consumed = true;
    }

    /// The handler passed a message on.
    void produced() {
        produced = true;
    }

    /// The handlers behind have asked for another message since.
    void askedAgain() {
        produced = false;
    }

    /// Ends a batch.
    ///
    /// @param over true if nothing more comes of the input
    void complete(ChannelHandlerContext ctx, boolean over) {
        boolean more = consumed && !produced && !over;
        consumed = false;
        produced = false;
        ctx.fireChannelReadComplete();
        if (more && !ctx.channel().autoRead()) {
            ctx.read();
        }
    }

    /// Ends the last batch, if the end of the input made messages.
    void completeLast(ChannelHandlerContext ctx) {
        if (produced) {
            produced = false;
            ctx.fireChannelReadComplete();
        }
    }
}
