package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Several bodies as one. A stream of them is not touched before its turn, but closed in any case.
final class ConcatenatedSource implements BodySource {
    private final ArrayDeque<Body> rest;
    private Runnable wake = () -> {};

    /// The stream that is being read.
    private @Nullable BodySource source;

    /// Bytes that the stream has given, and should give; -1 when only its end tells.
    private long given;

    private long promised;

    /// Bytes in front that have been written.
    private int written;

    ConcatenatedSource(List<Body> bodies) {
        this.rest = new ArrayDeque<>(bodies);
    }

    @Override
    public void onWake(Runnable runnable) {
        wake = runnable;
    }

    @Override
    public Step read(Buffer out) throws IOException {
        while (source == null) {
            switch (rest.peek()) {
                case null -> {
                    return Step.END;
                }
                case Body.Empty _, Body.Tunnel _ -> rest.remove();
                case Body.Bytes bytes -> {
                    int left = (int) bytes.length() - written;
                    int moved = Math.min(left, out.writableBytes());
                    bytes.writeTo(out, written, moved);
                    written += moved;
                    if (moved < left) {
                        return Step.MORE;
                    }
                    rest.remove();
                    written = 0;
                }
                case Body.Stream stream -> {
                    rest.remove();
                    source = stream.source();
                    given = 0;
                    promised = stream.length();
                    source.onWake(wake);
                }
            }
        }
        if (out.writableBytes() == 0) {
            return Step.MORE;
        }
        return readStream(source, out);
    }

    private Step readStream(BodySource from, Buffer out) throws IOException {
        int before = out.readableBytes();
        Step step = from.read(out);
        given += out.readableBytes() - before;
        if (promised >= 0 && (given > promised || (step == Step.END && given < promised))) {
            throw new IOException("body, a part: " + given + " bytes (expected: " + promised + ")");
        }
        if (step != Step.END) {
            return step;
        }
        source = null;
        from.close();
        return rest.isEmpty() ? Step.END : more(out, before);
    }

    /// A source that answers that there is more has written something.
    private Step more(Buffer out, int before) throws IOException {
        return out.readableBytes() > before ? Step.MORE : read(out);
    }

    @Override
    public boolean mayWait() {
        boolean may = source == null || source.mayWait();
        for (Body body : rest) {
            may &= !(body instanceof Body.Stream stream) || stream.source().mayWait();
        }
        return may;
    }

    @Override
    public void close() {
        BodySource open = source;
        source = null;
        if (open != null) {
            open.close();
        }
        for (Body body = rest.poll(); body != null; body = rest.poll()) {
            if (body instanceof Body.Stream stream) {
                stream.source().close();
            }
        }
    }
}
