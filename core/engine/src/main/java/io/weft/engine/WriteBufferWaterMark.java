package io.weft.engine;

/// Limits of what may wait to be sent, in bytes. Beyond 1,024 messages, each further one counts as
/// at least 64 bytes in the total: neither empty buffers nor single bytes may fill the memory.
///
/// @param low the channel becomes writable again when fewer than these wait, or nothing does
/// @param high the channel stops being writable when more than these wait
/// @param cap a write that finds as many waiting fails, and the channel closes: its producer
///     ignores writability
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
