package io.weft.codec.redis;

import io.weft.buffer.Buffer;

/// A whole value, or one part of a value that is read or written piece by piece.
///
/// The parts of an aggregate are its start, its elements in the same way, and its end; those of a
/// bulk its start, chunks of any length, and its end. An attribute has the parts of an aggregate,
/// before those of the value that it belongs to.
public sealed interface RespPart extends AutoCloseable
        permits RespValue,
                RespPart.AggregateStart,
                RespPart.AggregateEnd,
                RespPart.BulkStart,
                RespPart.BulkChunk,
                RespPart.BulkEnd {
    /// The length of a value that ends when its end comes.
    long OPEN = -1;

    /// The start of an aggregate.
    ///
    /// @param size elements, or pairs of a map and an attribute; [#OPEN] when only its end tells
    record AggregateStart(RespType type, long size) implements RespPart {
        /// @throws IllegalArgumentException when the type has no elements, or the size is negative
        public AggregateStart {
            if (!type.isAggregate()) {
                throw new IllegalArgumentException("type: " + type + " (expected: an aggregate)");
            }
            requireSize(type, size);
        }
    }

    /// The end of the aggregate that was started last.
    record AggregateEnd() implements RespPart {
        public static final AggregateEnd END = new AggregateEnd();
    }

    /// The start of a bulk.
    ///
    /// @param type BULK, BULK_ERROR or VERBATIM, whose content begins with the format and a colon
    /// @param length of its chunks together, in bytes; [#OPEN] when only its end tells
    record BulkStart(RespType type, long length) implements RespPart {
        /// @throws IllegalArgumentException when the type has no content, or the length is negative
        public BulkStart {
            if (!type.isBulk()) {
                throw new IllegalArgumentException("type: " + type + " (expected: a bulk)");
            }
            requireSize(type, length);
        }
    }

    /// Some of the content of a bulk.
    ///
    /// @param content which the chunk owns
    record BulkChunk(Buffer content) implements RespPart {
        @Override
        public void close() {
            content.release();
        }
    }

    /// The end of a bulk.
    record BulkEnd() implements RespPart {
        public static final BulkEnd END = new BulkEnd();
    }

    private static void requireSize(RespType type, long size) {
        if (size < OPEN || (size == OPEN && !type.isStreamable())) {
            throw new IllegalArgumentException(
                    type
                            + ": size "
                            + size
                            + " (expected: >= 0, or OPEN where the type allows it)");
        }
    }

    /// Releases the buffers inside.
    @Override
    default void close() {}
}
