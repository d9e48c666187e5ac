package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.conformance.rig.Grammar;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOptions;
import io.weft.handler.flow.FlushConsolidationHandler;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The checker of the grammar of events finds what it is for, and nothing else.
class GrammarTest {
    private final Grammar grammar = new Grammar();

    private EmbeddedChannel channel(ChannelHandler handler) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT,
                grammar.checked(
                        ch ->
                                ch.pipeline()
                                        .addLast(handler)
                                        .addLast("last", new ChannelHandler() {})));
    }

    private static final class Misplaced implements ChannelHandler {
        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.fireChannelReadComplete();
            ctx.fireChannelInputClosed();
            ctx.fireChannelRead("behind the end");
        }
    }

    @Test
    void eventsInTheirOrderAreNoBreach() {
        try (EmbeddedChannel channel = channel(new FlushConsolidationHandler())) {
            channel.receive("a").receive("b").receiveEnd();
        }
        assertThat(grammar.takeBroken()).isEmpty();
    }

    @Test
    void readBehindTheEndOfTheInputIsFound() {
        try (EmbeddedChannel channel = channel(new Misplaced())) {
            channel.receive("a");
            assertThat(grammar.takeBroken())
                    .isNotEmpty()
                    .allSatisfy(
                            breach ->
                                    assertThat(breach)
                                            .contains(
                                                    "read while ACTIVE behind the end of the input"));
        }
    }

    @Test
    void readWithinAWriteIsFound() {
        ChannelHandler answers =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ctx.fireChannelRead("an answer at once");
                        ctx.write(message, promise);
                    }
                };
        try (EmbeddedChannel channel = channel(answers)) {
            channel.channel().write(Rig.buffer("a"));
            assertThat(grammar.takeBroken())
                    .isNotEmpty()
                    .allSatisfy(
                            breach ->
                                    assertThat(breach).contains("read within a write or a flush"));
        }
    }

    @Test
    void handlerThatKeepsActiveIsNoBreachOfThoseBehind() {
        ChannelHandler keeps =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {}
                };
        try (EmbeddedChannel channel = channel(keeps)) {
            channel.receive("a");
        }
        assertThat(grammar.takeBroken()).isEmpty();
    }

    @Test
    void activeBehindAReadIsFound() {
        ChannelHandler late =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.fireChannelRead("early");
                        ctx.fireChannelReadComplete();
                        ctx.fireChannelActive();
                    }
                };
        channel(late).close();
        assertThat(grammar.takeBroken())
                .isNotEmpty()
                .allSatisfy(breach -> assertThat(breach).contains("active while ACTIVE"));
    }

    @Test
    void breachesThatAreKeptAreBounded() {
        for (int i = 0; i < 100; i++) {
            try (EmbeddedChannel channel = channel(new Misplaced())) {
                for (int j = 0; j < 100; j++) {
                    channel.receive("a");
                }
            }
        }
        assertThat(grammar.takeBroken()).hasSize(50);
    }
}
