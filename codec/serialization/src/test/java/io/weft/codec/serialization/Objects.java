package io.weft.codec.serialization;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects that peers send, friendly and hostile.
final class Objects {
    private Objects() {}

    record Point(int x, int y) implements Serializable {}

    /// A class whose hash code is that of its parts.
    @SuppressWarnings("serial") // as above
    record Pair(@Nullable Object first, @Nullable Object second) implements Serializable {}

    enum Colour {
        RED
    }

    /// A class that one would put on a list.
    static final class Envelope implements Serializable {
        @Serial private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // what a peer puts here is the matter
        final @Nullable Object content;

        Envelope(@Nullable Object content) {
            this.content = content;
        }

        @Override
        public String toString() {
            return "Envelope " + content;
        }
    }

    /// A class that an attacker hopes to find on the class path.
    static final class Gadget implements Serializable {
        @Serial private static final long serialVersionUID = 1L;
        static int runs;

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            runs++;
            in.defaultReadObject();
        }
    }

    /// A class on a list that does not take everything.
    static final class Picky implements Serializable {
        @Serial private static final long serialVersionUID = 1L;

        @Serial
        private Object readResolve() {
            throw new IllegalStateException("not today");
        }
    }

    /// The frame without its length.
    static byte[] serialized(Serializable object) {
        byte[] framed = framed(object);
        return java.util.Arrays.copyOfRange(framed, 4, framed.length);
    }

    static byte[] framed(Serializable object) {
        try (Output out = new Output()) {
            new ObjectEncoder().encode(object, out);
            byte[] wire = new byte[(int) out.size()];
            out.drain(b -> b.readBytes(wire).release());
            return wire;
        }
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    static <T> T decoded(ObjectDecoder<T> decoder, byte[] frame) {
        List<T> objects = new ArrayList<>();
        decoder.decode(buffer(frame), objects::add);
        return objects.getFirst();
    }

    /// A proxy of an interface, which is serializable whatever it is.
    static Serializable proxy() {
        return (Serializable)
                java.lang.reflect.Proxy.newProxyInstance(
                        Objects.class.getClassLoader(),
                        new Class<?>[] {Serializable.class, Runnable.class},
                        (java.lang.reflect.InvocationHandler & Serializable) (_, _, _) -> null);
    }
}
