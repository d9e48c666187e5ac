package io.weft.codec;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Collects messages that come in parts into whole ones, up to a limit.
///
/// Memory grows with what arrives: a declared length reserves nothing. Content that comes in one
/// part is not copied.
///
/// @param <P> the parts
/// @param <M> whole messages
public final class Aggregator<P, M> implements MessageDecoder<P, M> {
    /// Rules by which parts make a message.
    ///
    /// @param <P> the parts
    /// @param <M> whole messages
    public interface Parts<P, M> {
        /// Tells if a message begins with `part`.
        boolean isFirst(P part);

        /// Tells if a message ends with `part`.
        boolean isLast(P part);

        /// Returns the content that `part` adds, which becomes the aggregator's; null if there is
        /// none.
        @Nullable Buffer content(P part);

        /// The message, which owns `content`.
        M whole(P first, Buffer content, P last);
    }

    private final Parts<P, M> parts;
    private final int maxContentLength;
    private @Nullable P first;
    private @Nullable Buffer content;

    /// True if `content` was copied together here, so that more may be appended.
    private boolean own;

    /// @param maxContentLength bytes of one message's content
    public Aggregator(Parts<P, M> parts, int maxContentLength) {
        if (maxContentLength < 0) {
            throw new IllegalArgumentException(
                    "maxContentLength: " + maxContentLength + " (expected: >= 0)");
        }
        this.parts = parts;
        this.maxContentLength = maxContentLength;
    }

    @Override
    public void decode(P in, Consumer<? super M> out) {
        boolean isFirst = parts.isFirst(in);
        boolean isLast = parts.isLast(in);
        Buffer more = parts.content(in);
        try {
            if (isFirst != (first == null)) {
                throw new CorruptedFrameException(
                        "part: "
                                + (isFirst ? "first" : "not first")
                                + " (expected: "
                                + (isFirst ? "the rest of a message" : "a first part")
                                + ")");
            }
            if (more != null) {
                append(more);
                more = null;
            }
        } catch (RuntimeException e) {
            if (more != null) {
                more.release();
            }
            close();
            throw e;
        }
        if (isFirst) {
            first = in;
        }
        if (isLast) {
            complete(in, out);
        }
    }

    private void complete(P last, Consumer<? super M> out) {
        P begin = first;
        Buffer all = content;
        first = null;
        content = null;
        if (begin == null) {
            throw new AssertionError("no first part (expected: checked before)");
        }
        out.accept(
                parts.whole(begin, all == null ? BufferAllocator.pooled().allocate(0) : all, last));
    }

    private void append(Buffer more) {
        Buffer before = content;
        long length = more.readableBytes() + (before == null ? 0L : before.readableBytes());
        if (length > maxContentLength) {
            throw new LimitExceededException("content bytes", length, maxContentLength);
        }
        if (before == null) {
            content = more;
            own = false;
            return;
        }
        if (!own) {
            Buffer copy = BufferAllocator.pooled().allocate((int) length);
            copy.writeBytes(before);
            before.release();
            content = copy;
            own = true;
            before = copy;
        }
        // Growing doubles, so that many small parts are copied a constant number of times.
        before.writeBytes(more);
        more.release();
    }

    @Override
    public void end(Consumer<? super M> out) {
        if (first != null) {
            close();
            throw new PrematureEndException("a message in parts");
        }
    }

    @Override
    public void close() {
        first = null;
        if (content != null) {
            content.release();
            content = null;
        }
    }
}
