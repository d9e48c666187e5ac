package io.weft.codec.lzma;

/// A summary of the blocks that were read, or that the index lists: their number, and a hash of
/// their sizes. It tells two lists apart without keeping them.
final class Records {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private long count;
    private long hash;

    void clear() {
        count = 0;
        hash = 0;
    }

    void add(long blockBytes, long contentBytes) {
        count++;
        hash = ((hash + blockBytes) * MULTIPLIER + contentBytes) * MULTIPLIER;
    }

    long count() {
        return count;
    }

    boolean sameAs(Records other) {
        return count == other.count && hash == other.hash;
    }

    @Override
    public String toString() {
        return count + " blocks, sum " + Long.toHexString(hash);
    }
}
