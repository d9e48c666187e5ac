package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.nio.charset.StandardCharsets;

/// Writes lines of text in UTF-8. Text that would end its line itself is refused.
public final class LineEncoder implements Encoder<CharSequence> {
    private final byte[] end;

    /// Lines end with CR LF.
    public LineEncoder() {
        this("\r\n");
    }

    /// @param end of each line: "\r\n", "\n" or "\0"
    public LineEncoder(String end) {
        if (!end.equals("\r\n") && !end.equals("\n") && !end.equals("\0")) {
            throw new IllegalArgumentException(
                    "end: " + end.codePoints().boxed().toList() + " (expected: CR LF, LF or NUL)");
        }
        this.end = end.getBytes(StandardCharsets.US_ASCII);
    }

    /// @throws IllegalArgumentException when there is a CR, LF or NUL in the text
    @Override
    public void encode(CharSequence message, Output out) {
        String line = message.toString(); // which cannot change after the check
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\r' || c == '\n' || c == 0) {
                throw new IllegalArgumentException(
                        "line: character "
                                + (int) c
                                + " at "
                                + i
                                + " (expected: no CR, LF or NUL)");
            }
        }
        Buffer to = out.buffer(line.length() + end.length);
        to.writeUtf8(line);
        to.writeBytes(end);
    }
}
