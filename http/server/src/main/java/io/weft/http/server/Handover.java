package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/// Gives a channel to another protocol: its handlers stand behind HTTP's, which leaves.
final class Handover {
    private Handover() {}

    /// @param http HTTP's place in the pipeline
    /// @param rest bytes for the new protocol, which are its from now on
    /// @param inputEnded whether the end of input came behind them
    /// @throws Exception what the protocol throws when it opens; `rest` is released then
    static void run(
            Upgrade to, ChannelHandlerContext http, @Nullable Buffer rest, boolean inputEnded)
            throws Exception {
        try {
            to.open(http.channel());
            if (!http.isRemoved()) { // it is where the protocol has closed the channel at once
                http.pipeline().remove(http.handler());
            }
        } catch (Throwable t) {
            if (rest != null) {
                rest.release();
            }
            throw t;
        }
        // A removed handler's context still leads to the next one.
        if (rest != null) {
            http.fireChannelRead(rest);
            http.fireChannelReadComplete();
        }
        if (inputEnded) {
            http.fireChannelInputClosed();
        }
    }
}
