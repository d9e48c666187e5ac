package io.weft.transport.uring;

import io.weft.ffi.Libc;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;

/// System calls of a ring and of its streams, each as its man page has it and with `-errno` for a
/// failure. Tests put a kernel in the place of the real one whose completions they write
/// themselves.
interface RingCalls {
    RingCalls KERNEL = new Kernel();

    int setup(int entries, long params);

    /// @param what `IORING_OFF_SQ_RING` or `IORING_OFF_SQES`
    long map(int ring, long length, long what);

    void unmap(long address, long length);

    int register(int ring, int opcode, long argument, int count);

    int enter(
            int ring,
            int submissions,
            int minComplete,
            int flags,
            long argument,
            long argumentSize);

    /// Receives what a socket has, without waiting: `recv(2)`.
    int receive(int file, long address, int length);

    /// Tells if the file is a TCP connection that is over in both directions, as after a reset: the
    /// state `TCP_CLOSE` of `TCP_INFO`.
    boolean isOver(int file);

    /// The kernel that runs this process.
    final class Kernel implements RingCalls {
        /// Of `netinet/tcp.h`. The state is the first byte of `struct tcp_info`.
        private static final int TCP_CLOSE = 7;

        @Override
        public int setup(int entries, long params) {
            return IoUring.setup(entries, params);
        }

        @Override
        public long map(int ring, long length, long what) {
            return Libc.mmap(
                    0,
                    length,
                    Libc.PROT_READ | Libc.PROT_WRITE,
                    Libc.MAP_SHARED | Libc.MAP_POPULATE,
                    ring,
                    what);
        }

        @Override
        public void unmap(long address, long length) {
            Libc.munmap(address, length);
        }

        @Override
        public int register(int ring, int opcode, long argument, int count) {
            return IoUring.register(ring, opcode, argument, count);
        }

        @Override
        public int enter(
                int ring,
                int submissions,
                int minComplete,
                int flags,
                long argument,
                long argumentSize) {
            return IoUring.enter(ring, submissions, minComplete, flags, argument, argumentSize);
        }

        @Override
        public int receive(int file, long address, int length) {
            return Sockets.recv(file, address, length, Sockets.MSG_DONTWAIT);
        }

        @Override
        public boolean isOver(int file) {
            long info = Sockets.getOption(file, Sockets.IPPROTO_TCP, Sockets.TCP_INFO);
            return info >= 0 && (info & 0xff) == TCP_CLOSE;
        }
    }
}
