package io.weft.buffer;

import java.util.List;

/// The memory of an allocator at about one moment: threads go on allocating while the figures are
/// taken, so they may not add up to the last byte.
///
/// @param used bytes of the blocks that buffers are open on. A buffer released on another thread
///     counts until its memory has come home, which the owner sees to when it runs out of blocks,
///     and when it trims
/// @param pinned bytes that would stay reserved if everything free were given back: `used`, and
///     what is free in slabs with an open buffer
/// @param reserved bytes reserved from the system, for this and all other allocators of the process
/// @param limit the hard cap on `reserved`
/// @param sizeClasses of pools, smallest first, those without slabs left out
/// @param largeBlocks open blocks that were reserved singly
/// @param largeBytes bytes of those
public record AllocatorMetrics(
        long used,
        long pinned,
        long reserved,
        long limit,
        List<SizeClass> sizeClasses,
        long largeBlocks,
        long largeBytes) {

    public AllocatorMetrics {
        sizeClasses = List.copyOf(sizeClasses);
    }

    /// Blocks of one size.
    ///
    /// @param size bytes of a block
    /// @param open blocks with an open buffer
    /// @param free blocks that could be handed out without reserving memory
    public record SizeClass(int size, long open, long free) {}
}
