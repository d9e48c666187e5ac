package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;

/// A way out for the packets that a machine makes, in order.
public interface PacketSink {
    /// Tells if there is room. A machine asks before each packet of data. Those of control are few
    /// and need not wait; without room for them they are lost, as on the way.
    boolean isReady();

    /// Returns a buffer into which the caller writes the `length` bytes of a packet at once, from
    /// its write offset. The buffer stays the sink's.
    Buffer packet(int length);
}
