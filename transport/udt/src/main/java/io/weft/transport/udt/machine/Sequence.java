package io.weft.transport.udt.machine;

/// Sequence numbers: 31 bits on the wire, which wrap around; 64 bits in the machines, which do not.
///
/// A machine unwraps what it receives next to a number that it knows, so that no comparison has to
/// think of the wrap. A number more than 2^30 away from that one comes out on its other side, and
/// fails the check of its range there.
public final class Sequence {
    /// Greatest number on the wire.
    public static final int MAX = 0x7FFF_FFFF;

    private Sequence() {}

    /// Returns the number on the wire.
    public static int wire(long sequence) {
        return (int) sequence & MAX;
    }

    /// Returns the number with these 31 bits that is nearest to `reference`.
    ///
    /// @param wire its highest bit does not matter
    public static long unwrap(int wire, long reference) {
        return reference + (((wire - (int) reference) << 1) >> 1);
    }
}
