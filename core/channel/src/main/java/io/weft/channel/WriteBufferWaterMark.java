package io.weft.channel;

/// How many bytes may wait to be sent, in bytes.
///
/// @param low the channel becomes writable again when fewer than these wait
/// @param high the channel stops being writable when more than these wait
/// @param cap a write that finds as many waiting fails, and the channel closes: its producer ignores writability
public record WriteBufferWaterMark(int low, int high, int cap) {
    public WriteBufferWaterMark {
        if (low < 0 || high < low || cap < high) {
            throw new IllegalArgumentException(
                    "low: "
                            + low
                            + ", high: "
                            + high
                            + ", cap: "
                            + cap
                            + " (expected: 0 <= low <= high <= cap)");
        }
    }
}
