package io.weft.transport.posix;

/// A kernel's queue of ready descriptors, as an engine uses it: epoll, kqueue.
///
/// Events are level-triggered, and those of [io.weft.ffi.Epoll] on every system. Interest is in
/// `EPOLLIN` and `EPOLLRDHUP`, which go together, in `EPOLLOUT`, and in `EPOLLERR`, for targets
/// that send until the kernel takes no more: `EPOLLOUT` may be told once for all that it takes
/// then. Each descriptor has a key that comes back with its events. Results are those of calls:
/// -errno if negative.
///
/// Thread: the loop, but for [#wakeup].
public interface ReadinessQueue {
    /// The key of a wake-up; no descriptor has it.
    long WAKEUP = -1;

    /// Begins to watch a descriptor. If this queue does not fail at once, the target gets
    /// `EPOLLERR`.
    ///
    /// @param events of interest; `EPOLLERR` and `EPOLLHUP` may be told without any
    int add(int fd, int events, long key);

    /// Changes the interest in a descriptor that was added. Needs no memory and cannot fail, unless
    /// other code has closed the descriptor.
    ///
    /// @param before the interest so far
    int change(int fd, int before, int events, long key);

    /// Ends watching a descriptor.
    ///
    /// @param before the interest so far
    int remove(int fd, int before);

    /// Finds out if a descriptor can be watched.
    int check(int fd);

    /// Prepares for the close of a descriptor, which follows.
    ///
    /// @param before the interest so far
    /// @param shared whether another descriptor, perhaps of another process, may be of the same
    ///     open file. On epoll, where a registration belongs to the open file, it would outlive the
    ///     descriptor, and its events would have no receiver and keep the loop awake
    void closing(int fd, int before, boolean shared);

    /// Waits for events, and takes them.
    ///
    /// @param timeoutNanos 0 does not wait, `Long.MAX_VALUE` waits without limit
    /// @return their number; negative if a signal cut the wait short
    int await(long timeoutNanos);

    /// Returns the key of an event that [#await] took.
    long key(int index);

    /// Returns what has happened, of an event that [#await] took.
    int events(int index);

    /// Ends a wait, the current one or the next. Any thread.
    void wakeup();

    /// Closes the queue.
    void close();
}
