package io.weft.testkit;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.function.Consumer;

/// Feeds a decoder byte by byte from one buffer, at a cost of its own that is the same for every
/// byte.
final class SteadyFeed implements AutoCloseable {
    private final Machine machine;
    private final Consumer<Object> out;
    private final Class<? extends RuntimeException> error;

    SteadyFeed(Subject subject) {
        if (subject.machine == null) {
            throw new IllegalStateException(subject.name + ": no decoder (expected: one)");
        }
        machine = subject.machine.get();
        error = subject.error;
        out = LabRun.nowhere(subject);
    }

    /// `length` bytes of the subject's endless input `which`; behind those come its samples, again
    /// and again.
    static byte[] endless(Subject subject, int which, int length) {
        if (which < subject.endless.size()) {
            return subject.endless.get(which).apply(length);
        }
        byte[] sample = subject.samples.get(which - subject.endless.size());
        byte[] bytes = new byte[length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = sample[i % sample.length];
        }
        return bytes;
    }

    void bytes(byte[] wire) {
        try (Buffer in = BufferAllocator.pooled().allocate(wire.length)) {
            for (byte b : wire) {
                in.writeByte(b);
                try {
                    machine.decode(in, out);
                } catch (RuntimeException e) {
                    if (!error.isInstance(e)) {
                        throw e;
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}
