package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Messages and bytes of tests, as Latin-1.
final class Wire {
    static final SocksLimits LIMITS = new SocksLimits(30, 40, 256, 1000);

    private Wire() {}

    /// A decoder whose application chooses the first method that the client offers, and takes one
    /// GSS-API message.
    record Server(SocksServerDecoder decoder) {
        void decode(Buffer in, Consumer<Object> out) {
            decoder.decode(
                    in,
                    message -> {
                        if (message instanceof Socks5Greeting greeting) {
                            decoder.method(greeting.methods().getFirst());
                        } else if (message instanceof Socks5GssMessage) {
                            decoder.authenticated();
                        }
                        out.accept(message);
                    });
        }

        void end(Consumer<Object> out) {
            decoder.end(out);
        }
    }

    static Buffer buffer(String wire) {
        byte[] bytes = wire.getBytes(StandardCharsets.ISO_8859_1);
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    static String encode(SocksMessage... messages) {
        StringBuilder all = new StringBuilder();
        try (Output out = new Output()) {
            for (SocksMessage message : messages) {
                new SocksEncoder().encode(message, out);
            }
            out.drain(
                    b -> {
                        try (b) {
                            all.append(b.readString(StandardCharsets.ISO_8859_1));
                        }
                    });
        }
        return all.toString();
    }

    static List<Object> ofClient(String wire) {
        List<Object> messages = new ArrayList<>();
        try (Buffer in = buffer(wire)) {
            new Server(new SocksServerDecoder(LIMITS)).decode(in, messages::add);
        }
        return messages;
    }

    static List<Object> ofServer(SocksVersion version, String wire) {
        List<Object> messages = new ArrayList<>();
        try (Buffer in = buffer(wire)) {
            new SocksClientDecoder(version).decode(in, messages::add);
        }
        return messages;
    }
}
