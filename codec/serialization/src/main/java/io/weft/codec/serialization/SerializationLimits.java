package io.weft.codec.serialization;

/// Limits of the resources that one object of the peer may use.
///
/// @param bytes of the object, serialized
/// @param depth of objects in objects
/// @param references to objects, new or seen before, in all. Ten times their square bounds the
///     steps of hash codes: the references so far, times the parts of the largest object, where a
///     part counts each time that it is met, and an object without a hash code of its own as one
/// @param arrayLength of one array, also of those inside collections; all together are never longer
///     than the bytes of the object can fill, whatever they declare
public record SerializationLimits(int bytes, int depth, int references, int arrayLength) {
    public static final SerializationLimits DEFAULT =
            new SerializationLimits(1 << 20, 20, 10_000, 65_536);

    /// @throws IllegalArgumentException unless all are positive
    public SerializationLimits {
        if (bytes <= 0 || depth <= 0 || references <= 0 || arrayLength <= 0) {
            throw new IllegalArgumentException(
                    "bytes, depth, references, arrayLength: "
                            + bytes
                            + ", "
                            + depth
                            + ", "
                            + references
                            + ", "
                            + arrayLength
                            + " (expected: > 0)");
        }
    }

    public SerializationLimits bytes(int bytes) {
        return new SerializationLimits(bytes, depth, references, arrayLength);
    }

    public SerializationLimits depth(int levels) {
        return new SerializationLimits(bytes, levels, references, arrayLength);
    }

    public SerializationLimits references(int number) {
        return new SerializationLimits(bytes, depth, number, arrayLength);
    }

    public SerializationLimits arrayLength(int elements) {
        return new SerializationLimits(bytes, depth, references, elements);
    }
}
