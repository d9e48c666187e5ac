package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.websocket.Role;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.testkit.LogCapture;
import io.weft.testkit.Warns;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// A program that sends on to a peer which takes nothing.
class OutboundCapTest {
    @Test
    @Warns
    void sendBeyondTheCapIsNoFailureOfAListener() throws IOException {
        Heard heard = new Heard();
        try (Peer peer = new Peer(Role.SERVER, WebSocketSettings.DEFAULT, heard);
                LogCapture log = new LogCapture("io.weft.http.websocket")) {
            peer.channel
                    .channel()
                    .setOption(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(1000, 2000, 50_000));
            peer.channel.limitWindow(0);
            for (int i = 0; i < 20; i++) {
                heard.socket().sendText("x".repeat(10_000));
            }
            peer.channel.runPending();
            assertThat(heard.events).containsExactly("open", "close 1006");
            assertThat(peer.channel.isReset()).isTrue();
            assertThat(log.warnings()).hasSize(1);
            assertThat(log.warnings().getFirst())
                    .contains("more is sent than the peer takes")
                    .doesNotContain("listener");
        }
    }
}
