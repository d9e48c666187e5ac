package io.weft.testkit;

import io.weft.buffer.Buffer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// A decoder as the lab drives it: it takes what it can from the readable bytes of its input, and
/// is offered the rest again with more behind it.
public interface Machine {
    /// Decodes `in`, which stays the caller's, and hands each message to `out`, which owns it.
    void decode(Buffer in, Consumer<Object> out);

    /// Nothing follows.
    void end(Consumer<Object> out);

    /// Gives up what it holds.
    void close();

    /// For decoders with methods of these shapes: `Machine.of(d::decode, d::end, d::close)`.
    static Machine of(
            BiConsumer<Buffer, Consumer<Object>> decode,
            Consumer<Consumer<Object>> end,
            Runnable close) {
        return new Machine() {
            @Override
            public void decode(Buffer in, Consumer<Object> out) {
                decode.accept(in, out);
            }

            @Override
            public void end(Consumer<Object> out) {
                end.accept(out);
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }
}
