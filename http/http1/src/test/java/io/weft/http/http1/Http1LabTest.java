package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Version;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class Http1LabTest implements CodecLab {
    @Override
    public List<Subject> subjects() {
        return List.of(requests(), responses());
    }

    private static Subject requests() {
        Subject subject =
                Subject.named("http1-request")
                        .decoder(
                                () -> {
                                    RequestDecoder d = new RequestDecoder();
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(message -> describe((RequestPart) message));
        for (int i = 0; i < Corpus.GOOD.size(); i += 8) {
            subject.sample(Corpus.GOOD.get(i));
        }
        for (int i = 0; i < Corpus.BAD.size(); i += 10) {
            Corpus.Bad bad = Corpus.BAD.get(i);
            subject.refuses(String.valueOf(bad.status()), bad.input(), HttpDecodeException.class);
        }
        return subject.endless(n -> begun("GET /", 'x', Math.min(n, 8000)))
                .endless(n -> begun("GET / HTTP/1.1\r\nHost: a\r\nX: ", 'x', n))
                .endless(n -> begun("GET / HTTP/1.1\r\nHost: a\r\nX:", ' ', n));
    }

    private static byte[] begun(String begin, char c, int length) {
        return (begin + String.valueOf(c).repeat(length - begin.length())).getBytes(ISO_8859_1);
    }

    private static String describe(RequestPart part) {
        return switch (part) {
            case RequestHead head ->
                    head.method() + " " + head.target() + " " + head.version() + head.headers();
            case BodyPart body -> {
                try (Buffer data = body.data()) {
                    yield Subject.PIECE + data.readString(ISO_8859_1);
                }
            }
            case EndOfRequest end -> "end " + end.trailers();
        };
    }

    private static Subject responses() {
        return Subject.named("http1-response")
                .roundTrip(() -> encoded(Response.text("hello")), "")
                .injection(text -> encoded(Response.text("").withHeader("x-text", text)))
                .injection(text -> encoded(Response.text("").withHeader(text, "value")));
    }

    private static byte[] encoded(Response response) {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            new ResponseEncoder().head(response, Method.GET, Version.HTTP_1_1, false, out);
            byte[] wire = new byte[out.readableBytes()];
            out.readBytes(wire);
            return wire;
        }
    }
}
