package io.weft.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The lab's knowledge of a codec that it is to examine; see [CodecLab].
public final class Subject {
    /// Descriptions that begin with this are pieces of one thing: neighbours count as one, since
    /// where such a thing is cut may depend on how its bytes arrive.
    public static final String PIECE = "piece ";

    /// A stream, and the exception that ends it.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Limit(String what, byte[] wire, Class<? extends RuntimeException> error) {}

    /// A message encoded, and what it should be decoded to.
    record RoundTrip(Supplier<byte[]> encode, List<String> expected) {}

    final String name;
    final List<byte[]> samples = new ArrayList<>();
    final List<Limit> limits = new ArrayList<>();
    final List<RoundTrip> roundTrips = new ArrayList<>();
    final List<Function<String, byte[]>> injections = new ArrayList<>();
    final List<IntFunction<byte[]>> endless = new ArrayList<>();
    @Nullable Supplier<Machine> machine;
    Function<Object, String> describe = Subject::describe;
    Class<? extends RuntimeException> error = RuntimeException.class;
    long reserves;

    private Subject(String name) {
        this.name = name;
    }

    /// @param name unique in its module, as in file names
    public static Subject named(String name) {
        return new Subject(name);
    }

    /// Makes decoders. A subject without one is an encoder alone.
    ///
    /// @param error what it throws when its input breaks the protocol or a limit, and nothing else
    public Subject decoder(Supplier<Machine> machine, Class<? extends RuntimeException> error) {
        this.machine = machine;
        this.error = error;
        return this;
    }

    /// Sets the function that writes messages down, and releases them. By default buffers are
    /// written as Latin-1, other messages as by `toString`.
    public Subject describe(Function<Object, String> describe) {
        this.describe = describe;
        return this;
    }

    /// A whole stream that is decoded without an error: also a seed of the fuzzer's.
    public Subject sample(byte[] wire) {
        samples.add(wire.clone());
        return this;
    }

    /// As above, in Latin-1.
    public Subject sample(String wire) {
        return sample(wire.getBytes(ISO_8859_1));
    }

    /// A stream that ends with `error`, of exactly that class, because of a limit or a rule.
    public Subject refuses(String what, byte[] wire, Class<? extends RuntimeException> error) {
        limits.add(new Limit(what, wire.clone(), error));
        return this;
    }

    /// As above, in Latin-1.
    public Subject refuses(String what, String wire, Class<? extends RuntimeException> error) {
        return refuses(what, wire.getBytes(ISO_8859_1), error);
    }

    /// Something that is encoded by `encode`, and decoded to messages with these descriptions.
    public Subject roundTrip(Supplier<byte[]> encode, String... expected) {
        roundTrips.add(new RoundTrip(encode, List.of(expected)));
        return this;
    }

    /// Encodes a message that holds a text of the application's or the peer's. The lab tries texts
    /// with controls: each is refused with an [IllegalArgumentException], or is encoded without
    /// them. Only for protocols of text.
    public Subject injection(Function<String, byte[]> encode) {
        injections.add(encode);
        return this;
    }

    /// A stream of about as many bytes as asked for, as expensive as one can make it: one message
    /// that never ends, say. Work may grow with its length, but no faster.
    public Subject endless(IntFunction<byte[]> wire) {
        endless.add(wire);
        return this;
    }

    /// Bytes that the decoder may reserve beyond the rule, whatever it received: a window that its
    /// format prescribes.
    public Subject reserves(long bytes) {
        reserves = bytes;
        return this;
    }

    private static String describe(Object message) {
        if (message instanceof Buffer buffer) {
            try (buffer) {
                return buffer.readString(ISO_8859_1);
            }
        }
        return String.valueOf(message);
    }

    @Override
    public String toString() {
        return name;
    }
}
