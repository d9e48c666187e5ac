package io.weft.client.pipelined;

import static java.util.Objects.requireNonNull;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Output;
import io.weft.loop.EventExecutor;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// The handler of a client, whose encoder is the test's. A note that "asks" goes behind another, and
/// input of any bytes is one answer.
final class NoteHandler implements ChannelHandler {
    /// Writes a note.
    interface Encoder {
        void encode(Note note, Output out);
    }

    final CallsInFlight<Note> calls;

    NoteHandler(PipelineLimits limits, Encoder encoder) {
        calls =
                new CallsInFlight<>(
                        limits,
                        Note.ERRORS,
                        new CallsInFlight.Writer<>() {
                            @Override
                            public void write(Note note, Output out) {
                                note.markSent();
                                encoder.encode(note, out);
                            }

                            @Override
                            public @Nullable Note before(Note note, EventExecutor executor) {
                                return note.name.equals("asks")
                                        ? new Note(
                                                "before",
                                                executor.newPromise(),
                                                note.deadline(),
                                                null)
                                        : null;
                            }
                        });
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        calls.write(ctx, (Note) message);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ((Buffer) message).close();
        Note oldest = requireNonNull(calls.oldest());
        calls.finish();
        oldest.promise().setSuccess(oldest.name);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        calls.readComplete(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        calls.writabilityChanged(ctx);
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
}
