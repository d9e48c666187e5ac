package io.weft.channel.spi;

import java.io.IOException;

/// What an engine tells of a descriptor that it watches.
public interface ReadyEvents {
    /// What the interest is in can be done now, or an error or a hang-up waits to be found by trying. Told again for as long
    /// as that is so and the interest lasts.
    void ready(boolean readable, boolean writable);

    /// The descriptor cannot be watched any more, for instance because it was closed. The last event but after
    /// [ReadyHandle#close].
    void failed(IOException cause);
}
