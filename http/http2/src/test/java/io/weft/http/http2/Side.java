package io.weft.http.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http2.Http2Connection.Role;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One side of a connection, which logs its events. A double of an application.
final class Side implements Http2Events, AutoCloseable {
    final List<String> log = new ArrayList<>();
    final List<Http2Stream> streams = new ArrayList<>();
    final Http2Connection h2;
    private Buffer out = BufferAllocator.pooled().allocate(256);

    /// Nanoseconds of the clock.
    long now;

    /// True if content counts as consumed at once.
    boolean consumes = true;

    /// True if the first thing that comes makes it give the connection up.
    boolean givesUp;

    @Nullable Http2Exception failure;

    Side(Role role, Http2Limits limits) {
        h2 = new Http2Connection(role, limits, () -> now, () -> out, this);
        h2.start();
    }

    static Side server() {
        return new Side(Role.SERVER, Http2Limits.DEFAULT);
    }

    static Side client() {
        return new Side(Role.CLIENT, Http2Limits.DEFAULT);
    }

    /// Takes what was written since.
    Buffer take() {
        Buffer taken = out;
        out = BufferAllocator.pooled().allocate(256);
        return taken;
    }

    /// Hands bytes back and forth until both sides have nothing to say.
    static void exchange(Side a, Side b) {
        boolean more = true;
        while (more) {
            more = a.out.isReadable() || b.out.isReadable();
            b.h2.receive(a.take());
            a.h2.receive(b.take());
        }
    }

    static RequestHead get(String path) {
        return request(Method.GET, path, Headers.EMPTY);
    }

    static RequestHead request(Method method, String path, Headers headers) {
        return new RequestHead(
                method,
                "http",
                RequestTarget.of(path),
                null,
                headers.plus(HeaderName.HOST, "weft.test"),
                -1);
    }

    static Buffer bytes(String text) {
        return BufferAllocator.pooled()
                .allocate(text.length())
                .writeBytes(text.getBytes(ISO_8859_1));
    }

    @Override
    public void request(Http2Stream stream, RequestHead head, boolean end) {
        streams.add(stream);
        log.add("request " + stream.id() + " " + head + end(end));
        giveUp();
    }

    private void giveUp() {
        if (givesUp) {
            h2.close();
        }
    }

    @Override
    public void requestTooLarge(Http2Stream stream) {
        log.add("too large " + stream.id());
    }

    @Override
    public void response(Http2Stream stream, ResponseHead head, boolean end) {
        log.add("response " + stream.id() + " " + head.status().code() + end(end));
    }

    private static String end(boolean end) {
        return end ? " end" : "";
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        int length = data.readableBytes();
        try (data) {
            String text = length > 40 ? length + " bytes" : data.readString(ISO_8859_1);
            log.add("data " + stream.id() + " " + text + end(end));
        }
        giveUp();
        if (consumes) {
            stream.consumed(length);
        }
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {
        log.add("trailers " + stream.id() + " " + trailers);
    }

    @Override
    public void reset(Http2Stream stream, int code) {
        log.add("reset " + stream.id() + " " + ErrorCode.of(code));
    }

    @Override
    public void send(Http2Stream stream) {
        log.add("send " + stream.id() + " " + stream.room());
    }

    @Override
    public void goAway(int lastStream, int code) {
        log.add("goaway " + lastStream + " " + ErrorCode.of(code));
    }

    @Override
    public void pong(long data) {
        log.add("pong " + data);
        giveUp();
    }

    @Override
    public void failed(Http2Exception cause) {
        failure = cause;
        log.add("failed " + cause.code());
    }

    @Override
    public void close() {
        h2.close();
        out.release();
    }
}
