package io.weft.examples.proxy;

import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.http.server.Upgrade;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The far end of a tunnel: a connection to a server, with a [Hold] at the end of its pipeline
/// until the client takes it up. It is aborted if that has not happened in time.
final class HeldServer implements Upgrade {
    /// Time in which a client has to take up the tunnel that it asked for.
    private static final long TAKE_UP_SECONDS = 10;

    private final Channel server;
    private final Duration idle;

    /// @param idle time without a byte in either direction after which the tunnel is aborted
    HeldServer(Channel server, Duration idle) {
        this.server = server;
        this.idle = idle;
        // The client may be gone, and then nobody takes the tunnel up.
        var _ = server.eventLoop().schedule(this::giveUp, TAKE_UP_SECONDS, TimeUnit.SECONDS);
    }

    private void giveUp() {
        if (server.isOpen() && server.pipeline().get(Hold.class) != null) {
            var _ = server.abort();
        }
    }

    @Override
    public void open(Channel client) throws Exception {
        client.setOption(ChannelOption.READ_WHILE_UNWRITABLE, true);
        Relay.join(server, client, idle);
        server.eventLoop()
                .execute(
                        () -> {
                            if (server.isOpen()) {
                                var _ = server.pipeline().remove(Hold.class);
                            }
                        });
    }
}
