package io.weft.engine;

/// Makes engines of one kind; found by `ServiceLoader`.
public interface EngineProvider {
    /// Returns the name of this kind in `io.weft.transport` and log lines: `io_uring`, `epoll`,
    /// `nio`.
    String name();

    /// Returns the rank of this kind if none was chosen: the highest that works is taken.
    int priority();

    /// Makes sure that engines of this kind work here, by making one and trying what it needs.
    ///
    /// @return what the engine found, in a few words for the log line:
    ///     `kernel 6.18, multishot receive`
    /// @throws EngineUnavailableException with the reason, when kernel, seccomp or native access
    ///     denies
    String probe() throws EngineUnavailableException;

    /// A new engine for one loop. Called on any thread; everything but [Engine#wakeup] is then
    /// called on the loop's.
    ///
    /// @throws EngineUnavailableException when its descriptors or memory cannot be had
    Engine create() throws EngineUnavailableException;
}
