package io.weft.conformance.matrix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Turns [TrafficChunk]s, in whatever order they come, into the next bytes of a stream: messages of
/// all kinds that a channel takes.
final class TrafficEncoder implements ChannelHandler {
    static final long FILE_KEY = 1L << 60;
    static final int FILE_LENGTH = 300_000;

    private final TrafficStream stream;
    private final TrafficEnd end;
    private final Random random;
    private final Path file;
    private long key;

    /// In the order in which their messages were written.
    private final ArrayDeque<Promise<Void>> outstanding = new ArrayDeque<>();

    TrafficEncoder(TrafficStream stream, TrafficEnd end, long seed, Path file) {
        this.stream = stream;
        this.end = end;
        this.random = new Random(seed);
        this.file = file;
        this.key = seed & 0xFFFF_FFFFL;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise)
            throws IOException {
        if (!(message instanceof TrafficChunk(int length))) {
            ctx.write(message, promise);
            return;
        }
        encode(ctx, length, promise);
        end.encoded(); // what is flushed meanwhile, from within, may be the first part only
    }

    /// When a message has been sent, all before it have.
    private void inOrder(Promise<Void> done) {
        while (!outstanding.isEmpty() && outstanding.peek().isDone()) {
            outstanding.poll();
        }
        if (done.isSuccess() && outstanding.contains(done)) {
            end.fail("a promise succeeded before one of an earlier message");
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (ctx.channel().isOpen()) {
            stream.flush();
            end.flushed();
        }
        ctx.flush();
    }

    private void encode(ChannelHandlerContext ctx, int length, @Nullable Promise<Void> promise)
            throws IOException {
        int kind = random.nextInt(9);
        end.log("  encodes " + length + " as " + kind);
        switch (kind) {
            case 0 -> send(ctx, plain(length), promise);
            case 1 -> send(ctx, slice(length), promise);
            case 2 -> {
                Buffer all = plain(length);
                Buffer view = all.asReadOnly();
                all.release();
                send(ctx, view, promise);
            }
            case 3 -> twice(ctx, length, promise);
            case 4 -> send(ctx, composite(length), promise);
            case 5 -> {
                Buffer grown = BufferAllocator.pooled().allocate(0, Math.max(length, 1));
                grown.writeBytes(next(length));
                send(ctx, grown, promise);
            }
            case 6 -> {
                Buffer all = BufferAllocator.unpooled().allocate(length);
                send(ctx, all.writeBytes(next(length)), promise);
            }
            case 7 -> {
                int first = random.nextInt(length + 1);
                send(ctx, plain(first), null);
                Buffer rest = plain(length - first);
                Buffer cut = rest.split(rest.readableBytes());
                rest.release();
                send(ctx, cut, promise);
            }
            default -> file(ctx, length, promise);
        }
    }

    private void send(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (promise != null) {
            outstanding.add(promise);
            var _ = promise.addListener(_ -> inOrder(promise));
        }
        ctx.write(message, promise);
    }

    private byte[] next(int length) {
        byte[] bytes = TrafficStream.bytes(key, length);
        stream.next(key, length);
        key += length;
        return bytes;
    }

    private Buffer plain(int length) {
        return BufferAllocator.pooled().allocate(length).writeBytes(next(length));
    }

    private Buffer slice(int length) {
        int before = random.nextInt(100);
        Buffer all = BufferAllocator.pooled().allocate(before + length + random.nextInt(100));
        all.writeBytes(new byte[before]).writeBytes(next(length));
        Buffer slice = all.slice(before, length);
        all.release();
        return slice;
    }

    private CompositeBuffer composite(int length) {
        CompositeBuffer composite = new CompositeBuffer(BufferAllocator.pooled());
        int left = length;
        for (int i = random.nextInt(5); i > 0; i--) {
            int part = random.nextInt(left + 1);
            composite.add(plain(part));
            left -= part;
        }
        return composite.add(slice(left));
    }

    /// The same bytes two times, in one buffer that is retained.
    private void twice(ChannelHandlerContext ctx, int length, @Nullable Promise<Void> promise) {
        long first = key;
        Buffer all = plain(length);
        Buffer again = all.slice(0, length);
        send(ctx, all, null);
        stream.next(first, length);
        send(ctx, again, promise);
    }

    private void file(ChannelHandlerContext ctx, int length, @Nullable Promise<Void> promise)
            throws IOException {
        int count = Math.min(length, FILE_LENGTH);
        int position = random.nextInt(FILE_LENGTH - count + 1);
        FileRegion region = FileRegion.open(file, position, count);
        stream.next(FILE_KEY + position, count);
        send(ctx, region, promise);
    }
}
