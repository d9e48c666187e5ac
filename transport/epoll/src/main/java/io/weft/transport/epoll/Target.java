package io.weft.transport.epoll;

/// Whose descriptor is registered: a stream or a listener.
interface Target {
    /// @param events that `epoll_wait` told, `EPOLLERR` and `EPOLLHUP` also without interest
    void ready(int events);

    /// Closes the descriptor with a reset, for reasons that are not the peer's.
    void abandon();
}
