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

    /// The kernel that runs this process.
    final class Kernel implements RingCalls {
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
    }
}
