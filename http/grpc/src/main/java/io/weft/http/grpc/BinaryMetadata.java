package io.weft.http.grpc;

import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Metadata whose values are any bytes: names that end in `-bin`, values in base64. Other metadata
/// is the fields of [Headers] themselves.
public final class BinaryMetadata {
    private static final String SUFFIX = "-bin";

    private BinaryMetadata() {}

    /// Returns the values of a name, in their order; also those that came as a list in one field.
    ///
    /// @throws IllegalArgumentException when the name does not end in `-bin`, or a value is not
    ///     base64
    public static List<byte[]> all(Headers metadata, String name) {
        check(name);
        List<byte[]> values = new ArrayList<>();
        for (String field : metadata.all(name)) {
            for (String value : field.split(",", -1)) {
                // With or without padding: both are sent, and have to be understood.
                values.add(Base64.getDecoder().decode(value.strip()));
            }
        }
        return values;
    }

    /// Adds a value.
    ///
    /// @throws IllegalArgumentException when the name does not end in `-bin`
    public static HeadersBuilder add(HeadersBuilder to, String name, byte[] value) {
        check(name);
        return to.add(name, Base64.getEncoder().withoutPadding().encodeToString(value));
    }

    private static void check(String name) {
        if (!name.endsWith(SUFFIX)) {
            throw new IllegalArgumentException("name: " + name + " (expected: one with -bin)");
        }
    }
}
