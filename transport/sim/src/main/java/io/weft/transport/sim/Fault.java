package io.weft.transport.sim;

/// Faults, or mere variations, that a simulation can have. [Faults] says how often;
/// [SimHost#failNext] says when exactly.
public enum Fault {
    /// A send takes some of the bytes only.
    PARTIAL_SEND,
    /// A receive brings some of what has arrived only.
    PARTIAL_RECEIVE,
    /// A send completes later, as with io_uring; else it moves what it can at once, as with epoll.
    DEFERRED_SEND,
    /// A send that waits is told to try again for nothing: EAGAIN, EINTR.
    SPURIOUS_SEND,
    /// A completion reaches the loop later than it might.
    DELAY,
    /// Completions of one poll come in another order.
    REORDER,
    /// The end of a closed descriptor is told later.
    LATE_CLOSE,
    /// Something on the way resets the connection, at any byte of a send.
    RESET,
    /// A reset destroys what was under way before it, or has not been read.
    RESET_OVERTAKES,
    /// A connect is refused, as if there were no listener.
    REFUSE,
    /// A SYN is lost; the next comes a second later, then two seconds and so on.
    LOSE_SYN,
    /// A connection is slow, for life: some bytes a millisecond.
    SLOW,
    /// A peer's window is small, for the life of the connection.
    NARROW,
    /// ENOBUFS for a send.
    SEND_ENOBUFS,
    /// ENOMEM for a receive.
    RECEIVE_ENOMEM,
    /// EMFILE for an accept.
    ACCEPT_EMFILE,
    /// ENOMEM for an accept.
    ACCEPT_ENOMEM,
    /// EMFILE for a new socket.
    SOCKET_EMFILE,
    /// An accepted connection cannot be registered.
    ADOPT_FAILS,
    /// A datagram is lost.
    LOSE_DATAGRAM,
    /// A datagram comes twice.
    DUPLICATE_DATAGRAM,
    /// A datagram comes later than others that were sent after it.
    LATE_DATAGRAM
}
