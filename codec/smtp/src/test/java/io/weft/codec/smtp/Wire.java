package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Requests and replies as text, in Latin-1 so that bytes are what they look like.
final class Wire {
    private Wire() {}

    static Buffer buffer(String latin1) {
        byte[] bytes = latin1.getBytes(ISO_8859_1);
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    static SmtpContent.Part part(String latin1) {
        return new SmtpContent.Part(buffer(latin1));
    }

    /// Writes a message down, and releases it.
    static String describe(Object message) {
        return switch (message) {
            case SmtpContent.Part part -> {
                try (part) {
                    yield "piece " + part.bytes().readString(ISO_8859_1);
                }
            }
            case SmtpContent.End end -> end.fault() == null ? "end" : "end " + end.fault();
            case SmtpCommand.Invalid invalid -> "invalid " + invalid.reply();
            case SmtpCommand command -> command.line();
            default -> message.toString();
        };
    }

    /// Follows the modes of a server that accepts everything.
    static Consumer<SmtpRequest> accepting(
            SmtpRequestDecoder decoder, Consumer<? super SmtpRequest> out) {
        return request -> {
            if (request instanceof SmtpCommand.Data) {
                decoder.content();
            }
            if (request instanceof SmtpCommand.Auth) {
                decoder.authResponse();
            }
            out.accept(request);
        };
    }

    /// Messages of `wire`, with neighbouring pieces as one, and an exception's message at the end.
    static List<String> decode(SmtpRequestDecoder decoder, String wire) {
        List<String> all = new ArrayList<>();
        try (Buffer in = buffer(wire)) {
            decoder.decode(
                    in,
                    accepting(
                            decoder,
                            r -> {
                                String text = describe(r);
                                if (text.startsWith("piece ")
                                        && !all.isEmpty()
                                        && all.getLast().startsWith("piece ")) {
                                    all.add(all.removeLast() + text.substring(6));
                                } else {
                                    all.add(text);
                                }
                            }));
        } catch (SmtpException e) {
            all.add("! " + e.getMessage());
        }
        return all;
    }

    @SafeVarargs
    static byte[] encode(Supplier<SmtpRequest>... requests) {
        List<Supplier<SmtpRequest>> all = new ArrayList<>();
        for (Supplier<SmtpRequest> request : requests) {
            all.add(request);
        }
        return encode(all);
    }

    static byte[] encode(List<Supplier<SmtpRequest>> requests) {
        SmtpRequestEncoder encoder = new SmtpRequestEncoder();
        try (Output out = new Output()) {
            for (Supplier<SmtpRequest> request : requests) {
                encoder.encode(request.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static byte[] encode(SmtpReply reply) {
        try (Output out = new Output()) {
            new SmtpReplyEncoder().encode(reply, out);
            return Gathered.bytes(out::drain);
        }
    }
}
