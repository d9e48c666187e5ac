package io.weft.bench.transport.process.server;

import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelInitializer;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.handler.redis.RedisServerHandler;
import java.util.HashMap;
import java.util.Map;

/// SET and GET of Redis on one loop, as a user of Weft would write them.
final class WeftRedis {
    private WeftRedis() {}

    static ChannelInitializer connections() {
        Map<String, byte[]> store = new HashMap<>();
        return channel ->
                RedisServerHandler.addTo(
                        channel.pipeline(),
                        session -> command -> session.reply(answer(store, command)));
    }

    private static RespValue answer(Map<String, byte[]> store, Command command) {
        if (command.is(0, "SET") && command.size() == 3) {
            store.put(command.text(1), command.bytes(2));
            return SimpleString.OK;
        }
        if (command.is(0, "GET") && command.size() == 2) {
            byte[] value = store.get(command.text(1));
            return value == null
                    ? Null.NULL
                    : new Bulk(
                            BufferAllocator.pooled()
                                    .allocate(Math.max(1, value.length))
                                    .writeBytes(value));
        }
        return new SimpleError("ERR unknown command");
    }
}
