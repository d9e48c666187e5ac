package io.weft.examples.broker;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelPipeline;
import io.weft.codec.stomp.HeartBeats;
import io.weft.codec.stomp.StompHeartBeat;
import io.weft.handler.timeout.IdleState;
import io.weft.handler.timeout.IdleStateHandler;
import io.weft.handler.timeout.ReadTimeoutHandler;
import java.time.Duration;

/// Heart-beats of one side of a STOMP connection, from when they are agreed upon: sends one when
/// nothing else was sent for three quarters of the time, so that it comes in time, and fails the
/// connection when nothing has come for twice as long as the peer promised.
final class StompBeats implements ChannelHandler {
    /// The offer of our server and our client.
    static final HeartBeats OFFER = new HeartBeats(10_000, 10_000);

    private static final int PATIENCE = 2;

    StompBeats() {}

    /// Begins, on the channel's loop.
    ///
    /// @param theirs the peer's header, see [HeartBeats#parse]
    /// @throws IllegalArgumentException when the header is none
    void begin(ChannelHandlerContext ctx, HeartBeats theirs) {
        HeartBeats agreed = OFFER.with(theirs);
        ChannelPipeline pipeline = ctx.channel().pipeline();
        if (agreed.sends() > 0) {
            Duration silence = Duration.ofMillis(agreed.sends() * 3L / 4);
            pipeline.addFirst("beats", new IdleStateHandler(Duration.ZERO, silence, Duration.ZERO));
        }
        if (agreed.wants() > 0) {
            Duration patience = Duration.ofMillis((long) PATIENCE * agreed.wants());
            pipeline.addFirst("patience", new ReadTimeoutHandler(patience));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleState idle && idle.kind() == IdleState.Kind.WRITER) {
            ctx.writeAndFlush(StompHeartBeat.INSTANCE);
        }
        ctx.fireUserEventTriggered(event);
    }
}
