package io.weft.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.RequestHead;
import io.weft.http.http2.ResponseHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.server.exchange.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A client of a server's connection in virtual time: it logs what it is told.
final class Http2Client implements Http2Events, AutoCloseable {
    final EmbeddedChannel channel;
    final Http2Connection h2;
    final List<String> log = new ArrayList<>();

    /// Of responses.
    final List<Headers> heads = new ArrayList<>();

    Buffer out = BufferAllocator.pooled().allocate(256);

    /// True if content counts as consumed at once.
    boolean consumes = true;

    long received;

    /// Bytes on the wire, either way.
    long bytesToServer;

    long bytesFromServer;

    Http2Client(Application application, HttpServerLimits limits, Http2Limits own) {
        channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new Http1Connection(
                                                        new ServerLoop(
                                                                application,
                                                                limits,
                                                                new Sweeper(ch.eventLoop())),
                                                        true)));
        h2 = new Http2Connection(Http2Connection.Role.CLIENT, own, () -> 0, () -> out, this);
        h2.start();
        run();
    }

    Http2Client(Application application) {
        this(application, HttpServerLimits.DEFAULT, Http2Limits.DEFAULT);
    }

    static Http2Client of(HttpHandler handler) {
        return new Http2Client(new Application.Direct(handler));
    }

    /// Sends what was written, and takes what comes, until both sides have nothing to say.
    void run() {
        boolean more = true;
        while (more) {
            Buffer written = out;
            out = BufferAllocator.pooled().allocate(256);
            more = written.isReadable();
            bytesToServer += written.readableBytes();
            channel.receive(written);
            channel.runPending();
            more |= take();
        }
    }

    /// Takes what the server has sent.
    boolean take() {
        byte[] bytes = channel.takeOutbound();
        bytesFromServer += bytes.length;
        h2.receive(BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes));
        return bytes.length > 0;
    }

    /// Sends bytes that the machine would not.
    void raw(Supplier<Buffer> frames) {
        Buffer bytes = frames.get();
        bytesToServer += bytes.readableBytes();
        channel.receive(bytes);
        channel.runPending();
        take();
    }

    /// Asks for a tunnel.
    Http2Stream connect(String authority) {
        return h2.request(
                new RequestHead(
                        Method.CONNECT, "", RequestTarget.of(authority), null, Headers.EMPTY, -1),
                false);
    }

    static RequestHead head(Method method, String path, Headers headers) {
        return new RequestHead(
                method,
                "http",
                RequestTarget.of(path),
                null,
                headers.plus(HeaderName.HOST, "weft.test"),
                -1);
    }

    Http2Stream get(String path) {
        return h2.request(head(Method.GET, path, Headers.EMPTY), true);
    }

    Http2Stream post(String path, Headers headers) {
        return h2.request(head(Method.POST, path, headers), false);
    }

    static Buffer bytes(String text) {
        return BufferAllocator.pooled()
                .allocate(text.length())
                .writeBytes(text.getBytes(ISO_8859_1));
    }

    static void data(Http2Stream stream, String text, boolean end) {
        stream.data(bytes(text), end);
    }

    @Override
    public void response(Http2Stream stream, ResponseHead head, boolean end) {
        heads.add(head.headers());
        log.add(stream.id() + " " + head.status().code() + (end ? " end" : ""));
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        int length = data.readableBytes();
        received += length;
        try (data) {
            String text = length > 40 ? length + " bytes" : data.readString(ISO_8859_1);
            log.add(stream.id() + " " + text + (end ? " end" : ""));
        }
        if (consumes) {
            stream.consumed(length);
        }
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {
        log.add(stream.id() + " " + trailers);
    }

    @Override
    public void reset(Http2Stream stream, int code) {
        log.add(stream.id() + " reset " + ErrorCode.of(code));
    }

    @Override
    public void send(Http2Stream stream) {
        data(stream, "x".repeat(stream.room()), false);
    }

    @Override
    public void goAway(int lastStream, int code) {
        log.add("goaway " + lastStream + " " + ErrorCode.of(code));
    }

    @Override
    public void failed(Http2Exception cause) {
        log.add("failed " + cause.getMessage());
    }

    @Override
    public void close() {
        channel.close();
        h2.close();
        out.release();
    }
}
