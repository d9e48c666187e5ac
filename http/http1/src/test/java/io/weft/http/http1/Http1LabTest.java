package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Version;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class Http1LabTest implements CodecLab {
    @Override
    public List<Subject> subjects() {
        return List.of(
                requests(),
                questions(),
                responses(),
                answers("http1-answer", "GET GET GET GET"),
                answers("http1-answer-head", "HEAD"),
                answers("http1-answer-upgrade", "GET+"),
                answers("http1-answer-connect", "CONNECT"));
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

    /// Decoded responses; what they answer is part of the subject.
    private static Subject answers(String name, String methods) {
        Subject subject =
                Subject.named(name)
                        .decoder(
                                () -> {
                                    ResponseDecoder d = new ResponseDecoder();
                                    for (String method : methods.split(" ", -1)) {
                                        d.expect(
                                                Method.of(method.replace("+", "")),
                                                method.endsWith("+"));
                                    }
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(message -> describeAnswer((ResponsePart) message));
        List<ResponseCorpus.Good> good =
                ResponseCorpus.GOOD.stream()
                        .filter(g -> g.methods().equals(methods) && !endsByClose(g))
                        .toList();
        List<ResponseCorpus.Bad> bad =
                ResponseCorpus.BAD.stream().filter(b -> b.methods().equals(methods)).toList();
        good.forEach(g -> subject.sample(g.input()));
        bad.forEach(b -> subject.refuses(b.reason(), b.input(), HttpDecodeException.class));
        if (methods.startsWith("GET ")) {
            withSingleAnswers(subject);
        }
        return subject.endless(n -> begun("HTTP/1.1 200 ", 'x', Math.min(n, 8000)))
                .endless(n -> begun("HTTP/1.1 200 OK\r\nX: ", 'x', n))
                .endless(n -> begun("HTTP/1.1 200 OK\r\nX:", ' ', n));
    }

    /// Responses to one GET are responses to the first of several, unless they end the input.
    private static void withSingleAnswers(Subject subject) {
        for (int i = 0; i < ResponseCorpus.GOOD.size(); i += 4) {
            ResponseCorpus.Good good = ResponseCorpus.GOOD.get(i);
            if (good.methods().equals("GET")
                    && good.input().length() < 2000
                    && !endsByClose(good)) {
                subject.sample(good.input());
            }
        }
        for (int i = 0; i < ResponseCorpus.BAD.size(); i += 10) {
            ResponseCorpus.Bad bad = ResponseCorpus.BAD.get(i);
            if (bad.methods().startsWith("GET")
                    && bad.input().length() < 2000
                    && !bad.reason().equals("no request waits")) {
                subject.refuses(bad.reason(), bad.input(), HttpDecodeException.class);
            }
        }
        subject.sample("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".repeat(4));
    }

    /// Such a response is whole wherever it is cut.
    private static boolean endsByClose(ResponseCorpus.Good good) {
        return ResponseTrace.of(good.methods(), good.input()).stream()
                .anyMatch(event -> event.contains(" CLOSE "));
    }

    private static String describeAnswer(ResponsePart part) {
        return part instanceof ResponsePart.BodyPart body
                ? Subject.PIECE + ResponseTrace.describe(body).substring("body ".length())
                : ResponseTrace.describe(part);
    }

    private static Subject responses() {
        return Subject.named("http1-response")
                .roundTrip(() -> encoded(Response.text("hello")), "")
                .injection(text -> encoded(Response.text("").withHeader("x-text", text)))
                .injection(text -> encoded(Response.text("").withHeader(text, "value")));
    }

    private static Subject questions() {
        return Subject.named("http1-question")
                .roundTrip(() -> encoded(Request.get("/")), "")
                .injection(text -> encoded(Request.get("/").withHeader("x-text", text)))
                .injection(text -> encoded(Request.get("/").withHeader(text, "value")))
                .injection(text -> encoded(Request.get("/").withHeader("host", text)))
                .injection(text -> encoded(Request.get("/" + text)))
                .injection(text -> encoded(Request.of(Method.of(text), RequestTarget.ROOT)));
    }

    private static byte[] encoded(Request request) {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            Request whole =
                    request.headers().contains("host") ? request : request.withHeader("host", "a");
            new RequestEncoder().head(whole, false, out);
            byte[] wire = new byte[out.readableBytes()];
            out.readBytes(wire);
            return wire;
        }
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
