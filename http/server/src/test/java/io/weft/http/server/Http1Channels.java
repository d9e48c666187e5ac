package io.weft.http.server;

import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.http.server.exchange.Application;

/// Connections of the server over HTTP/1.1 whose client is a test.
final class Http1Channels {
    private Http1Channels() {}

    static EmbeddedChannel of(Application application) {
        return of(application, HttpServerLimits.DEFAULT);
    }

    static EmbeddedChannel of(Application application, HttpServerLimits limits) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                ch -> {
                    Sweeper sweeper = new Sweeper(ch.eventLoop());
                    ServerLoop loop = new ServerLoop(application, limits, sweeper);
                    ch.pipeline().addLast(new Http1Connection(loop, false));
                });
    }
}
