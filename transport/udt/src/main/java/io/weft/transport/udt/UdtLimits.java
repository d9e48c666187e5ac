package io.weft.transport.udt;

import java.time.Duration;

/// Limits of UDT's sockets and connections, part of a [UdtAddress].
///
/// @param segment greatest packet in bytes, with 28 for the headers of IPv4 and UDP, 76 to 9000:
///     the smaller one of both sides is used. With jumbo frames 9000 saves work
/// @param window packets in flight towards this side, and thereby memory for input, 32 to 1048576
/// @param sendBuffer bytes that were sent and not acknowledged, or wait, of one connection, at
///     least 65536; further writes wait
/// @param message bytes of one message; where half of `sendBuffer`, or what half of the window
///     carries, is less, that
/// @param connections that exist at a time on one port, accepted ones and those that wait
/// @param keepAlive silence of this side after which it says that it is there; longer than 4 s, the
///     reference implementation may take it for gone
/// @param silence of the peer after which it is taken for gone, or at most an eighth of it later:
///     it has been asked five times by then
/// @param linger time that a closed connection goes on to send what was written before; if the peer
///     has not acknowledged all by then, its connection is reset
public record UdtLimits(
        int segment,
        int window,
        int sendBuffer,
        int message,
        int connections,
        Duration keepAlive,
        Duration silence,
        Duration linger) {
    public static final UdtLimits DEFAULT =
            new UdtLimits(
                    1500,
                    8192,
                    8 << 20,
                    1 << 20,
                    4096,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30));

    /// Bytes of packets that carry no data.
    private static final int HEADERS = 44;

    /// @throws IllegalArgumentException when a value is out of its range
    public UdtLimits {
        check("segment", segment, 76, 9000);
        check("window", window, 32, 1 << 20);
        check("sendBuffer", sendBuffer, 64 << 10, 1 << 30);
        check("message", message, 1, 1 << 30);
        check("connections", connections, 1, 1 << 20);
        check("keepAlive", keepAlive);
        check("silence", silence);
        check("linger", linger);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    private static void check(String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(10)) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 10 ms to a day)");
        }
    }

    /// Returns the greatest message that fits, in bytes.
    int greatestMessage() {
        long inWindow = Math.max((segment - HEADERS) * (window / 2L), 1);
        return (int) Math.min(message, Math.min(sendBuffer / 2, inWindow));
    }

    public UdtLimits withSegment(int bytes) {
        return new UdtLimits(
                bytes, window, sendBuffer, message, connections, keepAlive, silence, linger);
    }

    public UdtLimits withWindow(int packets) {
        return new UdtLimits(
                segment, packets, sendBuffer, message, connections, keepAlive, silence, linger);
    }

    public UdtLimits withSendBuffer(int bytes) {
        return new UdtLimits(
                segment, window, bytes, message, connections, keepAlive, silence, linger);
    }

    public UdtLimits withMessage(int bytes) {
        return new UdtLimits(
                segment, window, sendBuffer, bytes, connections, keepAlive, silence, linger);
    }

    public UdtLimits withConnections(int count) {
        return new UdtLimits(
                segment, window, sendBuffer, message, count, keepAlive, silence, linger);
    }

    public UdtLimits withKeepAlive(Duration time) {
        return new UdtLimits(
                segment, window, sendBuffer, message, connections, time, silence, linger);
    }

    public UdtLimits withSilence(Duration time) {
        return new UdtLimits(
                segment, window, sendBuffer, message, connections, keepAlive, time, linger);
    }

    public UdtLimits withLinger(Duration time) {
        return new UdtLimits(
                segment, window, sendBuffer, message, connections, keepAlive, silence, time);
    }
}
