package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.testkit.EventRecording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

class ConnectionEventsTest {
    private static final String OPENED = "io.weft.ConnectionOpened";
    private static final String CLOSED = "io.weft.ConnectionClosed";

    @Test
    void aConnectionIsRecordedWithItsBytes() {
        try (var recording = EventRecording.of(OPENED, CLOSED)) {
            try (var embedded = new EmbeddedChannel(new EchoHandler())) {
                embedded.receive("three times ");
                embedded.receive("three");
                assertThat(recording.events(CLOSED)).isEmpty();
                assertThat(embedded.takeOutboundText()).isEqualTo("three times three");
            }
            RecordedEvent opened = recording.events(OPENED).getFirst();
            assertThat(opened.getString("remote")).isNotNull();
            assertThat(opened.getBoolean("accepted")).isFalse();
            assertThat(recording.events(CLOSED))
                    .singleElement()
                    .satisfies(
                            closed -> {
                                assertThat(closed.getLong("received")).isEqualTo(17);
                                assertThat(closed.getLong("sent")).isEqualTo(17);
                                assertThat(closed.getString("local"))
                                        .isEqualTo(opened.getString("local"));
                                assertThat(closed.getDuration()).isPositive();
                            });
        }
    }

    @Test
    void aConnectionThatNoRecordingWantsHasNoRecord() {
        try (var recording = EventRecording.of("io.weft.LoopHeld");
                var embedded = new EmbeddedChannel(new EchoHandler())) {
            embedded.receive("hello");
            assertThat(embedded.takeOutboundText()).isEqualTo("hello");
            assertThat(embedded.channel().recorded).isNull();
            assertThat(recording.events(OPENED)).isEmpty();
        }
    }

    private static final class EchoHandler implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message, null);
            ctx.flush();
        }
    }
}
