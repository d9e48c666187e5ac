package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Decoder;
import io.weft.http.model.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Feeds a decoder the way a connection does, keeping what it leaves unread, and writes down what
/// comes out. Adjacent pieces of a body are written as one, since where they are cut is all that
/// may depend on the segments.
final class Feed<P> implements AutoCloseable {
    private static final String BODY = "body ";

    final List<String> events = new ArrayList<>();
    final Buffer in = BufferAllocator.pooled().allocate(64);
    private final Decoder<P> decoder;
    private final Function<P, String> describe;
    private final Function<HttpDecodeException, String> describeError;
    private boolean dead;

    Feed(
            Decoder<P> decoder,
            Function<P, String> describe,
            Function<HttpDecodeException, String> describeError) {
        this.decoder = decoder;
        this.describe = describe;
        this.describeError = describeError;
    }

    void feed(String bytes) {
        if (!dead) {
            in.writeBytes(bytes.getBytes(ISO_8859_1));
            try {
                decoder.decode(in, this::add);
            } catch (HttpDecodeException e) {
                failed(e);
            }
        }
    }

    /// Ends the input.
    ///
    /// @return whether the decoder had not refused anything before
    boolean end() {
        if (dead) {
            return false;
        }
        try {
            decoder.end(this::add);
        } catch (HttpDecodeException e) {
            failed(e);
        }
        return true;
    }

    private void failed(HttpDecodeException e) {
        dead = true;
        events.add("error " + describeError.apply(e));
    }

    private void add(P part) {
        String text = describe.apply(part);
        int last = events.size() - 1;
        if (text.startsWith(BODY) && last >= 0 && events.get(last).startsWith(BODY)) {
            events.set(last, events.get(last) + text.substring(BODY.length()));
        } else {
            events.add(text);
        }
    }

    /// Takes the bytes of a piece.
    static String body(Buffer piece) {
        try (piece) {
            return BODY + piece.readString(ISO_8859_1);
        }
    }

    static String text(Headers headers) {
        List<String> fields = new ArrayList<>();
        headers.forEach(field -> fields.add(field.name() + "=" + field.value()));
        return fields.toString();
    }

    @Override
    public void close() {
        in.release();
    }
}
