package io.weft.engine;

import java.io.IOException;

/// A grip on the options of a descriptor.
public interface OptionHandle {
    /// The value that the kernel has.
    ///
    /// @throws UnsupportedOperationException when this engine or this kind of descriptor has no
    ///     such option
    /// @throws IOException when the kernel refuses
    <T> T option(ChannelOption<T> option) throws IOException;

    /// @throws UnsupportedOperationException when this engine or this kind of descriptor has no
    ///     such option
    /// @throws IOException when the kernel refuses
    <T> void option(ChannelOption<T> option, T value) throws IOException;
}
