package io.weft.bench.transport.process.server;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// The answers of a server of [Server.Service#HTTP1], the same of both libraries, by path.
public final class Http1Answers {
    /// 13 bytes of text.
    public static final String HELLO = "/hello";

    /// [#json], made for each request.
    public static final String JSON = "/json";

    public static final String KIBI = "/1k";
    public static final String LARGE = "/64k";
    public static final String MEBI = "/1m";

    /// The length of the request's body, as a number.
    public static final String UPLOAD = "/upload";

    /// A file of [#FILE_LENGTH] bytes, read anew for each request: it lies where [#file] says.
    public static final String FILE = "/file";

    public static final int FILE_LENGTH = 1 << 20;

    /// [#HELLO], after the handler has blocked for [#BLOCKED], as one does that waits for a
    /// database.
    public static final String BLOCKING = "/blocking";

    public static final Duration BLOCKED = Duration.ofMillis(1);

    /// WebSocket, which echoes: on [Server.Service#WEBSOCKET].
    public static final String ECHO = "/echo";

    private Http1Answers() {}

    /// Returns the path of [#FILE] in the directory of a server.
    public static Path file(Path directory) {
        return directory.resolve(FILE.substring(1));
    }

    public static byte[] json() {
        return "{\"message\":\"Hello, World!\"}".getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns the length of the body that a path is answered with, made once; 0 for other paths.
    public static int length(String path) {
        return switch (path) {
            case KIBI -> 1 << 10;
            case LARGE -> 64 << 10;
            case MEBI -> 1 << 20;
            default -> 0;
        };
    }
}
