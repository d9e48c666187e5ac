package io.weft.ffi;

/// The calls of `kqueue(2)`. Errors, threads and addresses: as [Libc] says.
public interface KqueueCalls {
    /// A new queue's descriptor.
    int kqueue();

    /// Makes changes, and then takes events.
    ///
    /// If a change fails, an event with `EV_ERROR` says so, where there is room for events; else
    /// the call fails, and later changes are not made.
    ///
    /// @param changes an array of `struct kevent`
    /// @param events room for `eventCount` of them
    /// @param timeoutNanos 0 does not wait, `Long.MAX_VALUE` waits without limit
    /// @return the number of events; negative: -errno
    int kevent(
            int queue,
            long changes,
            int changeCount,
            long events,
            int eventCount,
            long timeoutNanos);

    /// Closes a queue.
    int close(int queue);
}
