package io.weft.resolver.dns;

/// A call of a resolver's methods, which may take several questions: names of a search list, types,
/// aliases.
///
/// @param epoch the configuration that was in force when it began, and that it goes by
/// @param deadline when it is over, in nanoseconds of the loop's clock
record Call(Epoch epoch, long deadline) {}
