package io.weft.eventloop;

/// Something open on a loop that the loop ends before it ends itself, such as all channels of it.
/// Thread: the loop.
public interface LoopResource {
    /// Returns false while it keeps the loop from ending.
    boolean isEmpty();

    /// Closes everything in order, now or later. Called once, when the loop begins to shut down.
    void closeAll();

    /// Ends what is still open at once: the time to close in order is over.
    void abortAll();
}
