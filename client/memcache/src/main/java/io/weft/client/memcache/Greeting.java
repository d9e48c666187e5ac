package io.weft.client.memcache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.channel.Channel;
import io.weft.client.pipelined.Line;
import io.weft.client.pipelined.Reconnection;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.Opcode;
import io.weft.handler.codec.DecoderHandler;
import io.weft.loop.Promise;

/// One connection to the server, which begins with the user where there is one.
final class Greeting implements Line {
    private final MemcacheClient.Builder settings;
    private final Reconnection connection;
    private final ClientHandler handler;

    Greeting(MemcacheClient.Builder settings, Reconnection connection) {
        this.settings = settings;
        this.connection = connection;
        handler = new ClientHandler(settings.limits.pipeline());
    }

    @Override
    public void initChannel(Channel channel) throws Exception {
        settings.first.initChannel(channel);
        channel.pipeline()
                .addLast(new DecoderHandler<>(MemcacheDecoder.binaryReplies(whole())))
                .addLast(handler);
    }

    private MemcacheLimits whole() {
        MemcacheLimits limits = settings.messageLimits;
        return limits.valueBytes(Math.min(limits.valueBytes(), limits.wholeBytes()));
    }

    @Override
    public Throwable failure() {
        return handler.failure();
    }

    @Override
    public void greet(Channel connected) {
        if (settings.user.isEmpty() && settings.password.isEmpty()) {
            connection.ready(connected);
            return;
        }
        BinaryMessage request =
                BinaryMessage.request(Opcode.SASL_AUTH)
                        .key("PLAIN")
                        .value(("\0" + settings.user + "\0" + settings.password).getBytes(UTF_8))
                        .build();
        Promise<BinaryMessage> promise = connected.newPromise();
        connected.write(new Call<>(request, Answers::any, promise, connection.deadline(), null));
        var _ =
                promise.addListener(
                        done -> {
                            BinaryMessage answer = done.now();
                            if (answer != null) {
                                answer.close();
                                connection.ready(connected);
                            } else if (done.cause() instanceof MemcacheFailure.Refused refused) {
                                connection.refuse(connected, refused);
                            } else {
                                boolean ofTheCall = done.cause() instanceof MemcacheFailure;
                                connection.giveUp(connected, ofTheCall ? null : done.cause());
                            }
                        });
    }
}
