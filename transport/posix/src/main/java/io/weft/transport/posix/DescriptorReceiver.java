package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.PassedDescriptor;
import io.weft.engine.StreamEvents;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

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
    /// @param bytes given away where the result is positive, and if this throws
    /// @return what `recvmsg` returned, or `ENOMEM` without memory for it; where it is positive,
    ///     events may also have been told of a failure
    public static int receive(int fd, Buffer bytes, int length, StreamEvents events) {
        return receive(fd, bytes, length, events, n -> new PassedDescriptor(n, Libc::close));
    }

    /// @param owner makes the owner of a descriptor
    static int receive(
            int fd,
            Buffer bytes,
            int length,
            StreamEvents events,
            IntFunction<PassedDescriptor> owner) {
        long header;
        try {
            header = Memory.allocate(SIZE, 8);
        } catch (OutOfMemoryError e) {
            return -Errno.ENOMEM; // nothing is received before there is memory for it
        }
        int result;
        Object received = null;
        try {
            Sockets.putIovec(header + VECTOR, bytes.address(), length);
            Sockets.putMsghdr(header, header + VECTOR, 1);
            Memory.putLong(header + Sockets.MSGHDR_CONTROL, header + CONTROL);
            Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, SPACE);
            result = Sockets.recvmsg(fd, header, Sockets.MSG_DONTWAIT | Sockets.MSG_CMSG_CLOEXEC);
            if (result > 0) {
                received = taken(header, bytes.writeOffset(result), owner);
            }
        } catch (Throwable t) {
            bytes.release();
            throw t;
        } finally {
            Memory.free(header, SIZE);
        }
        switch (received) {
            case null -> {
                // nothing came
            }
            case DescriptorMessage message -> events.received(message);
            case IOException lost -> {
                bytes.release();
                events.failed(lost);
            }
            default -> events.received(bytes);
        }
        return result;
    }

    /// Returns a message of the bytes and the descriptors that came, `bytes` if none did, or
    /// the failure if some were lost. If this throws, for want of memory, descriptors are closed.
    private static Object taken(long header, Buffer bytes, IntFunction<PassedDescriptor> owner) {
        boolean kept = false;
        try {
            boolean lost = (Sockets.messageFlags(header) & Sockets.MSG_CTRUNC) != 0;
            List<PassedDescriptor> passed = new ArrayList<>();
            forEach(header, number -> passed.add(owner.apply(number)));
            if (lost || passed.size() > DescriptorMessage.MAX_DESCRIPTORS) {
                return new IOException(
                        "receive: descriptors were lost (expected: at most "
                                + DescriptorMessage.MAX_DESCRIPTORS
                                + " in a message, and as many free in this process)");
            }
            Object all = passed.isEmpty() ? bytes : new DescriptorMessage(bytes, passed);
            kept = true;
            return all;
        } finally {
            if (!kept) {
                forEach(header, Libc::close);
            }
        }
    }

    /// Goes through the descriptors that came, by their numbers.
    private static void forEach(long header, IntConsumer descriptor) {
        for (long at = Sockets.nextControl(header, 0);
                at != 0;
                at = Sockets.nextControl(header, at)) {
            if (Sockets.isControl(at, Sockets.SOL_SOCKET, Sockets.SCM_RIGHTS)) {
                long data = Sockets.controlData(at);
                for (int i = 0; i + 4 <= Sockets.controlLength(at); i += 4) {
                    descriptor.accept(Memory.getInt(data + i));
                }
            }
        }
    }
}
