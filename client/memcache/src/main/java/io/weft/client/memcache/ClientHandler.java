package io.weft.client.memcache;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.client.pipelined.CallsInFlight;
import io.weft.client.pipelined.PipelineLimits;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Writes calls and gives each its answer: answers come in the order of requests.
final class ClientHandler implements ChannelHandler {
    private final CallsInFlight<Call<?>> calls;

    ClientHandler(PipelineLimits limits) {
        MemcacheEncoder encoder = new MemcacheEncoder();
        calls =
                new CallsInFlight<>(
                        limits, Errors.INSTANCE, (call, out) -> encoder.encode(call.send(), out));
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (!(message instanceof Call<?> call)) {
            ctx.write(message, promise);
            return;
        }
        if (promise != null) {
            promise.trySuccess(null); // the answer says the rest
        }
        calls.write(ctx, call);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        calls.writabilityChanged(ctx);
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof BinaryMessage answer)) {
            ctx.fireChannelRead(message);
            return;
        }
        Call<?> call = calls.oldest();
        if (call == null || call.opaque() != answer.opaque() || call.opcode() != answer.opcode()) {
            try (answer) {
                throw new IllegalStateException(
                        answer + " (expected: " + (call == null ? "none" : call) + ")");
            }
        }
        if (call.answered(answer)) {
            calls.finish();
            call.complete();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        calls.readComplete(ctx);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        calls.closeWhenWritten(ctx);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        calls.fail(ctx, cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        calls.close();
        ctx.fireChannelInactive();
    }

    Throwable failure() {
        return calls.failure();
    }
}
