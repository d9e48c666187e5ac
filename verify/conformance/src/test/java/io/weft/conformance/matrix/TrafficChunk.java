package io.weft.conformance.matrix;

/// The next so many bytes of a stream, before [TrafficEncoder] has made a message of them.
record TrafficChunk(int length) {}
