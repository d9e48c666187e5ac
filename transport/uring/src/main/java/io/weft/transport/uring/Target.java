package io.weft.transport.uring;

/// A receiver of completions: a stream or a listener.
interface Target {
    /// @param result what the system call would have returned: a value or -errno
    /// @param flags of the completion; without `IORING_CQE_F_MORE` it is the operation's last
    void completed(int operation, int result, int flags);

    /// One of its callbacks threw. The channel is in no known state then, so it goes; a listener
    /// goes on.
    void faulted();
}
