package io.weft.bench.transport.process;

import java.io.IOException;

/// Something that is measured with processes of its own, all sides of it in one run.
interface Program {
    /// The operations of its rows, as in `IdleConnections/Heap IdleConnections/Rss`.
    String operations();

    /// Tells if some of its rows are wanted.
    default boolean isWanted(Measured measured) {
        return measured.wants(operations());
    }

    /// @throws IOException when nothing can be measured at all; of one side alone:
    ///     [Measured#failure]
    void run(Extent extent, Measured measured) throws IOException, InterruptedException;
}
