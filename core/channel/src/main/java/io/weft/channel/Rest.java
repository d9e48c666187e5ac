package io.weft.channel;

/// Gets what no handler of a pipeline took.
interface Rest {
    /// A message, to be released.
    void message(Object message);

    /// An exception, which closes the channel.
    void exception(Throwable cause);
}
