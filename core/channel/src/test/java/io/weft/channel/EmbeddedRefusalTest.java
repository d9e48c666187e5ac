package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.ChannelOptions;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// A test whose handlers cannot be placed fails where it makes its channel.
@Warns
class EmbeddedRefusalTest {
    private static final class Alone implements ChannelHandler {}

    /// Throws when it is added.
    private record Refusing(Exception why) implements ChannelHandler {
        @Override
        public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
            throw why;
        }
    }

    @Test
    void handlerOfAnotherPipelineIsRefusedByTheConstructor() {
        Alone handler = new Alone();
        try (EmbeddedChannel _ = new EmbeddedChannel(handler)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new EmbeddedChannel(handler))
                    .withMessageContaining("expected: sharable");
        }
    }

    @Test
    void handlerAddedThrowsThroughTheConstructor() {
        assertThatThrownBy(() -> new EmbeddedChannel(new Refusing(new IllegalStateException("no"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThatThrownBy(() -> new EmbeddedChannel(new Refusing(new IOException("no file"))))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(
                        () ->
                                new EmbeddedChannel(
                                        ChannelOptions.DEFAULT,
                                        _ -> {
                                            throw new IOException("no file");
                                        }))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void exceptionThatAHandlerHandlesIsNotThrown() {
        List<Throwable> handled = new ArrayList<>();
        ChannelHandler handling =
                new ChannelHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        handled.add(cause);
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(handling, new Refusing(new IllegalStateException("no")))) {
            assertThat(handled).hasSize(1);
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void exceptionOfAnEventIsKeptForTheTest() {
        ChannelHandler failing =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        throw new IllegalStateException("active");
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(failing)) {
            assertThat(channel.takeException()).hasMessage("active");
        }
    }
}
