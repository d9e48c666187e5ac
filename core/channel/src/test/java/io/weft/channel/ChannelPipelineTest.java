package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelPipelineTest {
    private final List<String> seen = new ArrayList<>();

    private final class Named implements ChannelHandler {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            seen.add(name + " read");
            ctx.fireChannelRead(message);
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            seen.add(name + " write");
            ctx.write(message, promise);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            seen.add(name + " added");
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            seen.add(name + " removed");
        }
    }

    private static final class Reader implements ChannelHandler {
        private final Consumer<ChannelHandlerContext> action;

        Reader(Consumer<ChannelHandlerContext> action) {
            this.action = action;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try {
                action.accept(ctx);
            } catch (Throwable t) {
                Messages.release(message); // still its own
                throw t;
            }
            ctx.fireChannelRead(message);
        }
    }

    @Test
    void inboundGoesForwardAndOutboundBack() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Named("a"), new Named("b"))) {
            seen.clear();
            channel.receive("x");
            channel.channel().writeAndFlush(channel.channel().allocator().allocate(0));
            assertThat(seen).containsExactly("a read", "b read", "b write", "a write");
        }
    }

    @Test
    void aContextWritesFromItsOwnPlace() {
        Named first = new Named("first");
        try (EmbeddedChannel channel = new EmbeddedChannel(first, new Named("second"))) {
            seen.clear();
            ChannelHandlerContext second = channel.pipeline().context("Named#1");
            assertThat(second).isNotNull();
            second.write(channel.channel().allocator().allocate(0));
            assertThat(seen).containsExactly("first write");
        }
    }

    @Test
    void eventsSkipHandlersThatDoNotOverrideThem() {
        assertThat(HandlerMask.of(Named.class)).isEqualTo(HandlerMask.READ | HandlerMask.WRITE);
        assertThat(HandlerMask.of(new ChannelHandler() {}.getClass())).isZero();
    }

    /// An event that is not in the mask never reaches a handler.
    @Test
    void everyEventOfTheInterfaceIsInTheMask() {
        List<String> events =
                Arrays.stream(ChannelHandler.class.getMethods())
                        .map(method -> method.getName() + List.of(method.getParameterTypes()))
                        .filter(method -> !method.matches("isSharable.*|handler(Added|Removed).*"))
                        .toList();
        assertThat(HandlerMask.Event.ALL)
                .extracting(event -> event.name() + event.parameters())
                .containsExactlyInAnyOrderElementsOf(events);
        assertThat(HandlerMask.Event.ALL)
                .extracting(HandlerMask.Event::bit)
                .doesNotHaveDuplicates();
    }

    @Test
    void addsRemovesAndReplacesAtRunTime() {
        Named a = new Named("a");
        Named b = new Named("b");
        try (EmbeddedChannel channel = new EmbeddedChannel(a)) {
            seen.clear();
            channel.pipeline().replace(a, "b", b);
            assertThat(seen).containsExactly("b added", "a removed");
            assertThat(channel.pipeline().context(a)).isNull();
            channel.pipeline().addFirst("f", new Named("f")).addBefore(b, "c", new Named("c"));
            seen.clear();
            channel.receive("x");
            assertThat(seen).containsExactly("f read", "c read", "b read");
        }
    }

    @Test
    void aHandlerMayRemoveItselfWhileItPassesAMessageOn() {
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        new Reader(ctx -> ctx.pipeline().remove(ctx.handler())),
                        new Named("next"))) {
            channel.receive("x").receive("y");
            assertThat(seen).containsExactly("next added", "next read", "next read");
        }
    }

    @Test
    void refusesANameTwiceAndAHandlerItDoesNotHave() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.pipeline().addLast("a", new Named("a"));
            assertThatThrownBy(() -> channel.pipeline().addLast("a", new Named("b")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> channel.pipeline().remove(new Named("c")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    static final class Fatal extends Error {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                IllegalStateException.class,
                StackOverflowError.class,
                NoClassDefFoundError.class,
                Fatal.class
            })
    void whateverAHandlerThrowsClosesItsChannelAlone(Class<? extends Throwable> type)
            throws Exception {
        Throwable thrown = type.getDeclaredConstructor().newInstance();
        try (EmbeddedChannel channel = new EmbeddedChannel(new Reader(_ -> sneak(thrown)));
                EmbeddedChannel neighbour = new EmbeddedChannel(new Named("n"))) {
            channel.receive("x");
            assertThat(channel.isClosed()).isTrue();
            neighbour.receive("x");
            assertThat(neighbour.isClosed()).isFalse();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable cause) throws T {
        throw (T) cause;
    }

    @Test
    void exceptionCaughtOfTheSameHandlerComesFirst() {
        ChannelHandler catching =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ctx.fireChannelRead(message);
                        throw new IllegalStateException("mine");
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        seen.add(String.valueOf(cause.getMessage()));
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(catching)) {
            channel.receive("x");
            assertThat(seen).containsExactly("mine");
            assertThat(channel.isClosed()).isFalse();
        }
    }
}
