package io.weft.conformance;

/// The next so many bytes of a stream, before [TrafficEncoder] has made a message of them.
record TrafficChunk(int length) {}
