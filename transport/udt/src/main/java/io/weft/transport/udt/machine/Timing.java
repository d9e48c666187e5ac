package io.weft.transport.udt.machine;

/// The limits and times of one connection. Times are nanoseconds.
///
/// @param message bytes of one message
/// @param keepAlive silence of this side after which it says that it is there
/// @param silence of the peer, after which it is taken for gone
/// @param bytesASecond that are sent at most, with all headers; 0: no limit
public record Timing(int message, long keepAlive, long silence, long bytesASecond) {
    /// Returns the silence of the peer after which it is asked; the next times are longer.
    long probe() {
        return Math.max(silence / 17, 1);
    }
}
