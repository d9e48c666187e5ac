package io.weft.buffer.search;

import io.weft.buffer.ByteProcessor;
import java.util.function.IntConsumer;

/// Looks for [SearchPatterns] in bytes that come one by one, as from
/// [Buffer#forEachByte][io.weft.buffer.Buffer#forEachByte]: stops at the last byte of a pattern.
/// What it has seen counts on, so a pattern is found that begins in one buffer and ends in another,
/// and one that overlaps the one before.
///
/// **Threads.** One at a time.
public final class SearchProcessor implements ByteProcessor {
    private final SearchPatterns patterns;
    private int row;

    SearchProcessor(SearchPatterns patterns) {
        this.patterns = patterns;
    }

    /// False when a pattern ends with `value`.
    @Override
    public boolean process(byte value) {
        int next = patterns.next[row + (patterns.classes[value & 0xFF] & 0xFF)];
        row = next & ~SearchPatterns.FOUND;
        return next >= 0;
    }

    /// The number of the longest pattern that ends with the byte seen last, or -1.
    public int found() {
        return patterns.longest[state()];
    }

    /// Shows `action` the numbers of all patterns that end with the byte seen last, longest first.
    public void forEachFound(IntConsumer action) {
        for (int state = state(); patterns.longest[state] >= 0; state = patterns.shorter[state]) {
            action.accept(patterns.longest[state]);
        }
    }

    /// Length of the pattern that [#found] names, or 0. Its first byte is `length - 1` before the
    /// byte seen last, which may be in an earlier buffer.
    public int foundLength() {
        int found = found();
        return found < 0 ? 0 : patterns.length(found);
    }

    /// Forgets what it has seen.
    public void reset() {
        row = 0;
    }

    private int state() {
        return row / patterns.classCount;
    }
}
