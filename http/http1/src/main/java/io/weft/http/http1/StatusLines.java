package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// `HTTP/1.1 200 OK` and CR LF, once for each status.
final class StatusLines {
    /// By code. Written without a lock: the loser of a race makes the same bytes again.
    private static final byte[] @Nullable [] LINES = new byte[600][];

    private StatusLines() {}

    static byte[] of(Status status) {
        byte[] line = LINES[status.code()];
        if (line == null) {
            line =
                    ("HTTP/1.1 " + status.code() + " " + status.reason() + "\r\n")
                            .getBytes(US_ASCII);
            LINES[status.code()] = line;
        }
        return line;
    }
}
