package io.weft.examples;

import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.StringJoiner;

/// Answers every request with what it was, as JSON. Bodies of any length are read as they come.
public final class HttpSnoop {
    private HttpSnoop() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8080, args, HttpSnoop::start);
    }

    static Example.Running start(Options options) {
        return Example.http(options, server -> server.blocking(HttpSnoop::answer));
    }

    private static Response answer(Request request) throws IOException, NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        long length = 0;
        try (InputStream body = request.body().asInputStream()) {
            byte[] piece = new byte[16 << 10];
            for (int got; (got = body.read(piece)) >= 0; ) {
                sha256.update(piece, 0, got);
                length += got;
            }
        }
        return Response.json(
                "{\"method\":"
                        + quote(request.method().name())
                        + ",\"target\":"
                        + quote(request.target().toString())
                        + ",\"version\":"
                        + quote(request.version().toString())
                        + ",\"headers\":"
                        + array(request.headers())
                        + ",\"bodyLength\":"
                        + length
                        + ",\"bodySha256\":"
                        + quote(HexFormat.of().formatHex(sha256.digest()))
                        + ",\"trailers\":"
                        + array(request.trailers())
                        + "}");
    }

    private static String array(Headers fields) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        for (Headers.Field field : fields) {
            array.add("[" + quote(field.name().toString()) + "," + quote(field.value()) + "]");
        }
        return array.toString();
    }

    /// Text of a request has no controls but tabs.
    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t") + '"';
    }
}
