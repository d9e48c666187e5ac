package io.weft.bench.http2;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http2.FrameEncoder;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.http2.RequestHead;
import io.weft.http.http2.Setting;
import io.weft.http.http2.Settings;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A side of a connection whose peer takes whatever it sends, on streams that stay open.
final class WeftSender implements Http2Events, AutoCloseable {
    private static final int LARGEST_WINDOW = Integer.MAX_VALUE;
    private static final int INITIAL_WINDOW = 65_535;

    private final Http2Connection h2;
    private final List<Http2Stream> streams = new ArrayList<>();
    private final OutgoingFrames frames = new OutgoingFrames(BufferAllocator::pooled);
    private final Consumer<Buffer> channel;
    private long sent;
    private long served;

    /// @param count of streams
    /// @param priorities values of the field Priority, which streams have by turns
    /// @param channel takes what is sent, and releases it
    WeftSender(int count, List<String> priorities, Consumer<Buffer> channel) {
        this.channel = channel;
        h2 =
                new Http2Connection(
                        Http2Connection.Role.CLIENT,
                        Http2Limits.DEFAULT,
                        System::nanoTime,
                        frames,
                        this);
        h2.start();
        Buffer settings = BufferAllocator.pooled().allocate(64);
        FrameEncoder.settings(
                Settings.EMPTY.with(Setting.INITIAL_WINDOW_SIZE, LARGEST_WINDOW), settings);
        FrameEncoder.windowUpdate(0, LARGEST_WINDOW - INITIAL_WINDOW, settings);
        h2.receive(settings);
        for (int i = 0; i < count; i++) {
            Headers headers =
                    Headers.builder()
                            .add(HeaderName.HOST, "weft.test")
                            .add(HeaderName.PRIORITY, priorities.get(i % priorities.size()))
                            .build();
            RequestTarget target = RequestTarget.of("/");
            streams.add(
                    h2.request(
                            new RequestHead(Method.POST, "http", target, null, headers, -1),
                            false));
        }
        frames.release();
    }

    /// Sends one frame of DATA on the first stream, and takes it over. As on a connection, frames
    /// go to the channel when they are enough for a write.
    ///
    /// @return the bytes that wait for that
    int data(Buffer payload) {
        Http2Stream stream = streams.getFirst();
        int length = payload.readableBytes();
        if (sent + length > LARGEST_WINDOW) {
            Buffer updates = BufferAllocator.pooled().allocate(64);
            FrameEncoder.windowUpdate(0, (int) sent, updates);
            FrameEncoder.windowUpdate(stream.id(), (int) sent, updates);
            h2.receive(updates);
            sent = 0;
        }
        sent += length;
        stream.data(payload, false);
        if (frames.bytes() >= OutgoingFrames.FULL) {
            var _ = frames.drainTo(channel);
        }
        return frames.bytes();
    }

    /// Has every stream want to send, and serves all.
    ///
    /// @return how often one was served since the beginning
    long serveAll() {
        for (Http2Stream stream : streams) {
            stream.wantsToSend();
        }
        h2.serve(() -> true);
        return served;
    }

    @Override
    public void send(Http2Stream stream) {
        served++;
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        data.release();
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {}

    @Override
    public void reset(Http2Stream stream, int code) {
        throw new IllegalStateException(stream + ": reset with " + code);
    }

    @Override
    public void failed(Http2Exception cause) {
        throw cause;
    }

    @Override
    public void close() {
        h2.close();
        frames.release();
    }
}
