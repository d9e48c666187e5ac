package io.weft.codec.dns.rdata;

import io.weft.codec.dns.RecordType;

/// A place on earth (RFC 1876). Sizes are as precise as the wire has them: one digit and a power of
/// ten.
///
/// @param latitude thousandths of a second of arc, north of the equator
/// @param longitude thousandths of a second of arc, east of Greenwich
/// @param altitude centimetres above the reference spheroid, from -10,000,000 on
/// @param size of the sphere around it, its diameter in centimetres
/// @param horizontalPrecision centimetres
/// @param verticalPrecision centimetres
public record Loc(
        int latitude,
        int longitude,
        long altitude,
        long size,
        long horizontalPrecision,
        long verticalPrecision)
        implements Rdata {
    /// A right angle.
    private static final int QUARTER = 90 * 3_600_000;

    /// The altitude that the wire counts from, in centimetres.
    public static final long LOWEST = -10_000_000;

    /// @throws IllegalArgumentException when a component is out of its range
    public Loc {
        Checks.range("latitude + 90 degrees", (long) latitude + QUARTER, 2L * QUARTER);
        Checks.range("longitude + 180 degrees", longitude + 2L * QUARTER, 4L * QUARTER);
        Checks.u32("altitude + 10000000", altitude - LOWEST);
        requirePrecision("size", size);
        requirePrecision("horizontalPrecision", horizontalPrecision);
        requirePrecision("verticalPrecision", verticalPrecision);
    }

    private static void requirePrecision(String what, long centimetres) {
        if (centimetres < 0 || roundDown(centimetres) != centimetres) {
            throw new IllegalArgumentException(
                    what + ": " + centimetres + " (expected: a digit with up to nine zeros)");
        }
    }

    /// The largest value not above `centimetres` that a record can have.
    public static long roundDown(long centimetres) {
        long power = 1;
        long digit = centimetres;
        while (digit > 9) {
            digit /= 10;
            power *= 10;
        }
        return Math.min(digit * power, 9_000_000_000L);
    }

    @Override
    public RecordType type() {
        return RecordType.LOC;
    }
}
