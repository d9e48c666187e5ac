package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The Date field (RFC 9110, 6.6.1), made once a second and copied into every response. One thread
/// refreshes it; any may write it.
public final class DateField {
    /// IMF-fixdate (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("'date: 'EEE, dd MMM yyyy HH:mm:ss 'GMT\r\n'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private volatile byte[] line;

    public DateField(Instant now) {
        line = format(now);
    }

    /// To be called once a second.
    public void refresh(Instant now) {
        line = format(now);
    }

    private static byte[] format(Instant now) {
        return FORMAT.format(now).getBytes(US_ASCII);
    }

    void writeTo(Buffer out) {
        out.writeBytes(line);
    }
}
