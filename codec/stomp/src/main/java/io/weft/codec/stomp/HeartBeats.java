package io.weft.codec.stomp;

import org.jspecify.annotations.Nullable;

/// Heart-beats as one side offers them, or as both have agreed.
///
/// @param sends milliseconds between signs of life that this side sends; 0 for none
/// @param wants milliseconds between those that it wants; 0 for none
public record HeartBeats(int sends, int wants) {
    public static final HeartBeats NONE = new HeartBeats(0, 0);

    /// @throws IllegalArgumentException when one is below zero
    public HeartBeats {
        if (sends < 0 || wants < 0) {
            throw new IllegalArgumentException(
                    "heart-beat: " + sends + "," + wants + " (expected: >= 0)");
        }
    }

    /// Reads the header; null is [#NONE].
    ///
    /// @throws IllegalArgumentException unless it has two numbers of up to nine digits
    public static HeartBeats parse(@Nullable String header) {
        if (header == null) {
            return NONE;
        }
        int comma = header.indexOf(',');
        String sends = comma < 0 ? "" : header.substring(0, comma);
        String wants = header.substring(comma + 1);
        if (!isNumber(sends) || !isNumber(wants)) {
            throw new IllegalArgumentException(
                    "heart-beat: not two numbers (expected: milliseconds, as 0,1000)");
        }
        return new HeartBeats(Integer.parseInt(sends), Integer.parseInt(wants));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty()
                && text.length() <= 9
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /// Returns what this side sends and gets, since the other one has offered `theirs`.
    public HeartBeats with(HeartBeats theirs) {
        return new HeartBeats(agreed(sends, theirs.wants), agreed(theirs.sends, wants));
    }

    private static int agreed(int offered, int wanted) {
        return offered == 0 || wanted == 0 ? 0 : Math.max(offered, wanted);
    }

    /// The value of the header.
    public String text() {
        return sends + "," + wants;
    }
}
