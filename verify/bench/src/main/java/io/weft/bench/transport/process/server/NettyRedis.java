package io.weft.bench.transport.process.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The same as [WeftRedis], on Netty's codec.
final class NettyRedis extends ChannelInitializer<Channel> {
    private static final SimpleStringRedisMessage OK = new SimpleStringRedisMessage("OK");
    private static final ErrorRedisMessage UNKNOWN = new ErrorRedisMessage("ERR unknown command");

    private final Map<String, byte[]> store = new HashMap<>();

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline()
                .addLast(
                        new RedisDecoder(),
                        new RedisBulkStringAggregator(),
                        new RedisArrayAggregator(1024, 32),
                        new RedisEncoder(),
                        new Commands());
    }

    private final class Commands extends SimpleChannelInboundHandler<ArrayRedisMessage> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ArrayRedisMessage command) {
            var _ = ctx.write(answer(command.children()), ctx.voidPromise());
        }

        private RedisMessage answer(List<RedisMessage> words) {
            String name = content(words.getFirst()).toString(UTF_8);
            if (name.equalsIgnoreCase("SET") && words.size() == 3) {
                store.put(
                        content(words.get(1)).toString(UTF_8),
                        ByteBufUtil.getBytes(content(words.get(2))));
                return OK;
            }
            if (name.equalsIgnoreCase("GET") && words.size() == 2) {
                byte[] value = store.get(content(words.get(1)).toString(UTF_8));
                return value == null
                        ? FullBulkStringRedisMessage.NULL_INSTANCE
                        : new FullBulkStringRedisMessage(Unpooled.wrappedBuffer(value));
            }
            return UNKNOWN;
        }

        private static ByteBuf content(RedisMessage word) {
            return ((FullBulkStringRedisMessage) word).content();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close();
        }
    }
}
