package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.http.model.Status;

/// `HTTP/1.1 200 OK` and CR LF, once for each status.
final class StatusLines {
    private static final int MIN = 100;

    /// By code, from [#MIN] on. All are made before any thread sees one: bytes that a thread
    /// publishes without a lock may be seen as zeros by another.
    private static final byte[][] LINES = new byte[500][];

    static {
        for (int i = 0; i < LINES.length; i++) {
            Status status = Status.of(MIN + i);
            String line = "HTTP/1.1 " + status.code() + " " + status.reason() + "\r\n";
            LINES[i] = line.getBytes(US_ASCII);
        }
    }

    private StatusLines() {}

    static byte[] of(Status status) {
        return LINES[status.code() - MIN];
    }
}
