package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import io.weft.http.model.HttpDate;
import java.time.Instant;

/// The Date field (RFC 9110, 6.6.1), made once a second and copied into every response. One thread
/// refreshes it; any may write it.
public final class DateField {
    private static final int NAME = "date: ".length();

    private volatile byte[] line;
    private volatile String value;

    public DateField(Instant now) {
        line = format(now);
        value = valueOf(line);
    }

    /// To be called once a second.
    public void refresh(Instant now) {
        line = format(now);
        value = valueOf(line);
    }

    /// Returns the value of the field, for other wires.
    public String value() {
        return value;
    }

    private static String valueOf(byte[] line) {
        return new String(line, NAME, line.length - NAME - 2, US_ASCII);
    }

    private static byte[] format(Instant now) {
        return ("date: " + HttpDate.format(now) + "\r\n").getBytes(US_ASCII);
    }

    void writeTo(Buffer out) {
        out.writeBytes(line);
    }
}
