package io.weft.engine;

import java.io.IOException;

/// Events of a descriptor that an engine watches.
public interface ReadyEvents {
    /// Reports that an operation of interest can be done now, or that an error or a hang-up waits
    /// to be found by trying. Reported again for as long as that is so and the interest lasts.
    void ready(boolean readable, boolean writable);

    /// The descriptor can no longer be watched, for instance because it was closed. The last event
    /// but after [ReadyHandle#close].
    void failed(IOException cause);
}
