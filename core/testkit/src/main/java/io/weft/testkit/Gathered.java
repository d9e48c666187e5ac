package io.weft.testkit;

import io.weft.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/// The bytes of several buffers as one array, for comparisons.
public final class Gathered {
    private Gathered() {}

    /// Gathers and releases the buffers that `drain` hands over, as the `drain` of an encoder's
    /// output does.
    public static byte[] bytes(Consumer<Consumer<Buffer>> drain) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        drain.accept(
                next -> {
                    byte[] part = new byte[next.readableBytes()];
                    next.readBytes(part).release();
                    all.writeBytes(part);
                });
        return all.toByteArray();
    }
}
