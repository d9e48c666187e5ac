package io.weft.buffer;

/// The sizes that blocks of a pool have: steps of 64 bytes to 256, then four steps a doubling, to a
/// chunk's size. A block is larger than asked for by a fifth at most above 256 bytes, and by 63
/// bytes at most below.
final class SizeClasses {
    static final int COUNT = 44;
    static final int MAX_SIZE = 1 << 18;

    /// The unit into which a chunk is divided: slabs have a whole number of units.
    static final int UNIT_SHIFT = 15;

    static final int UNIT = 1 << UNIT_SHIFT;

    /// Slabs hold eight blocks, or as many as fit into this.
    private static final int SLAB = 4 * UNIT;

    private static final int[] SIZES = new int[COUNT];
    private static final int[] UNITS = new int[COUNT];

    static {
        for (int c = 0; c < COUNT; c++) {
            SIZES[c] = c < 4 ? (c + 1) * 64 : (c % 4 + 5) << (c / 4 + 5);
            UNITS[c] = unitsFor(SIZES[c]);
        }
    }

    private SizeClasses() {}

    /// The fewest units that waste at most a sixteenth.
    private static int unitsFor(int size) {
        int least = Math.max(size, Math.min(8 * size, SLAB));
        int units = (least + UNIT - 1) >> UNIT_SHIFT;
        while ((units << UNIT_SHIFT) % size > units << (UNIT_SHIFT - 4)) {
            units++;
        }
        return units;
    }

    /// The least class whose size is at least `capacity`, which is 0 to [#MAX_SIZE].
    static int of(int capacity) {
        int last = Math.max(capacity, 1) - 1;
        // Below 512 steps are of 64; from there a quarter of the power of two below.
        int shift = 29 - Integer.numberOfLeadingZeros(last | 256);
        return ((shift - 6) << 2) + (last >> shift);
    }

    static int size(int sizeClass) {
        return SIZES[sizeClass];
    }

    /// Units of a slab of this class.
    static int units(int sizeClass) {
        return UNITS[sizeClass];
    }

    /// Blocks in a slab of this class.
    static int blocks(int sizeClass) {
        return (UNITS[sizeClass] << UNIT_SHIFT) / SIZES[sizeClass];
    }
}
