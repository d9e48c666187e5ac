package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.engine.StreamEvents;
import io.weft.ffi.Errno;
import io.weft.transport.posix.DescriptorReceiver;

/// A receive by a call, as of an engine by readiness, into memory beside the ring.
final class ReceiveCall {
    private ReceiveCall() {}

    /// Receives up to `size` bytes that the socket has, and hands them up.
    ///
    /// @param descriptors true for those that come with the bytes, too
    /// @return bytes, 0 at the end of input, or -errno: `ENOMEM` without memory for `size`
    static int receive(
            RingCalls kernel, int fd, boolean descriptors, int size, StreamEvents events) {
        Buffer bytes = SpareMemory.allocate(size);
        if (bytes == null) {
            return -Errno.ENOMEM;
        }
        if (descriptors) {
            int result = DescriptorReceiver.receive(fd, bytes, size, events);
            if (result <= 0) {
                bytes.release();
            }
            return result;
        }
        int result = kernel.receive(fd, bytes.address(), size);
        if (result > 0) {
            events.received(bytes.writeOffset(result));
        } else {
            bytes.release();
        }
        return result;
    }
}
