package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.PassedDescriptor;
import io.weft.engine.StreamEvents;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Receives from a Unix domain socket with the descriptors that come along; close-on-exec.
///
/// The kernel closes descriptors that do not fit into a message, or for which this process has no
/// number left. A peer that counts on it would be misunderstood, so that is the end of the
/// connection (`MSG_CTRUNC`).
public final class DescriptorReceiver {
    /// Of what other options of the socket have the kernel tell along.
    private static final int OTHER_SPACE = 64;

    private static final int SPACE =
            Sockets.controlSpace(DescriptorMessage.MAX_DESCRIPTORS * Integer.BYTES) + OTHER_SPACE;
    private static final int VECTOR = Sockets.MSGHDR_SIZE + 8;
    private static final int CONTROL = VECTOR + Sockets.IOVEC_SIZE;
    private static final int SIZE = CONTROL + SPACE;

    private DescriptorReceiver() {}

    /// Receives up to `length` bytes to the beginning of `bytes`, and hands them up.
    ///
    /// @param bytes given away where the result is positive
    /// @return what `recvmsg` returned; where it is positive, events may also have been told of a
    ///     failure
    public static int receive(int fd, Buffer bytes, int length, StreamEvents events) {
        long header = Memory.allocate(SIZE, 8);
        List<PassedDescriptor> passed = new ArrayList<>();
        int result;
        boolean lost = false;
        try {
            Sockets.putIovec(header + VECTOR, bytes.address(), length);
            Sockets.putMsghdr(header, header + VECTOR, 1);
            Memory.putLong(header + Sockets.MSGHDR_CONTROL, header + CONTROL);
            Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, SPACE);
            result = Sockets.recvmsg(fd, header, Sockets.MSG_DONTWAIT | Sockets.MSG_CMSG_CLOEXEC);
            if (result > 0) {
                collect(header, passed);
                lost =
                        passed.size() > DescriptorMessage.MAX_DESCRIPTORS
                                || (Sockets.messageFlags(header) & Sockets.MSG_CTRUNC) != 0;
            }
        } finally {
            Memory.free(header, SIZE);
        }
        if (lost) {
            bytes.release();
            passed.forEach(PassedDescriptor::close);
            events.failed(
                    new IOException(
                            "receive: descriptors were lost (expected: at most "
                                    + DescriptorMessage.MAX_DESCRIPTORS
                                    + " in a message, and as many free in this process)"));
        } else if (result > 0) {
            bytes.writeOffset(result);
            if (passed.isEmpty()) {
                events.received(bytes);
            } else {
                events.received(new DescriptorMessage(bytes, passed));
            }
        }
        return result;
    }

    private static void collect(long header, List<PassedDescriptor> passed) {
        for (long at = Sockets.nextControl(header, 0);
                at != 0;
                at = Sockets.nextControl(header, at)) {
            if (Sockets.isControl(at, Sockets.SOL_SOCKET, Sockets.SCM_RIGHTS)) {
                long data = Sockets.controlData(at);
                for (int i = 0; i + 4 <= Sockets.controlLength(at); i += 4) {
                    passed.add(new PassedDescriptor(Memory.getInt(data + i), Libc::close));
                }
            }
        }
    }
}
