package io.weft.http.hpack;

/// Limits of what header compression may cost one connection. Sizes are bytes as RFC 7541, 4.1
/// counts them: of a field, those of its name and of its value, and 32.
///
/// @param decoderTable the dynamic table that the peer's encoder may use, 0 to 65,536: what
///     SETTINGS_HEADER_TABLE_SIZE says
/// @param encoderTable the dynamic table of our own encoder at most, 0 to 65,536, whatever the peer
///     allows
/// @param fieldSection of the fields of one block, at least 64: what SETTINGS_MAX_HEADER_LIST_SIZE
///     says
/// @param fields in one block, at least 1, each crumb of a cookie being one
public record HpackLimits(int decoderTable, int encoderTable, int fieldSection, int fields) {
    /// 4,096 bytes for each table, which is HTTP/2's own default; 16,384 bytes and 100 fields.
    public static final HpackLimits DEFAULT = new HpackLimits(4096, 4096, 16_384, 100);

    /// The largest table of either direction.
    public static final int MAX_TABLE = 65_536;

    /// @throws IllegalArgumentException when one is out of its range
    public HpackLimits {
        check("decoderTable", decoderTable, 0, MAX_TABLE);
        check("encoderTable", encoderTable, 0, MAX_TABLE);
        check("fieldSection", fieldSection, 64, 1 << 23);
        check("fields", fields, 1, 1 << 16);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    public HpackLimits decoderTable(int bytes) {
        return new HpackLimits(bytes, encoderTable, fieldSection, fields);
    }

    public HpackLimits encoderTable(int bytes) {
        return new HpackLimits(decoderTable, bytes, fieldSection, fields);
    }

    public HpackLimits fieldSection(int bytes) {
        return new HpackLimits(decoderTable, encoderTable, bytes, fields);
    }

    public HpackLimits fields(int count) {
        return new HpackLimits(decoderTable, encoderTable, fieldSection, count);
    }
}
