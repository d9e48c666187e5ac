package io.weft.buffer.search;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/// Patterns that are looked for all at once, in one look at each byte: an automaton after Aho and
/// Corasick ("Efficient String Matching", 1975). Made once, used by as many [SearchProcessor]s as
/// there are haystacks.
///
/// **Threads.** Immutable.
public final class SearchPatterns {
    /// The most bytes that all patterns have together.
    public static final int MAX_LENGTH = 1 << 14;

    /// Bytes that no pattern has are of class 0; the others have one each.
    final byte[] classes = new byte[256];

    final int classCount;

    /// The row of each state and class to go to, rows being the states times [#classCount]; with
    /// [#FOUND] if a pattern ends there.
    final int[] next;

    static final int FOUND = 1 << 31;

    /// The longest pattern that ends at a state, or -1.
    final int[] longest;

    /// The state to look at for the next shorter pattern, or 0.
    final int[] shorter;

    final int[] lengths;

    private SearchPatterns(byte[][] patterns) {
        int states = 1;
        boolean[] seen = new boolean[256];
        lengths = new int[patterns.length];
        for (int p = 0; p < patterns.length; p++) {
            states = Math.addExact(states, patterns[p].length);
            lengths[p] = patterns[p].length;
            for (byte b : patterns[p]) {
                seen[b & 0xFF] = true;
            }
        }
        int count = 1;
        for (int b = 0; b < 256; b++) {
            if (seen[b]) {
                // The 256th class, when all bytes occur, is 0 as a byte: then class 0 has no other
                // use.
                classes[b] = (byte) count++;
            }
        }
        classCount = Math.min(count, 256);
        next = new int[states * classCount];
        longest = new int[states];
        shorter = new int[states];
        Arrays.fill(longest, -1);
        plant(patterns);
        link();
    }

    /// @throws IllegalArgumentException without a pattern, when one is empty or there twice, and
    ///     when they have more than [#MAX_LENGTH] bytes together
    public static SearchPatterns of(byte[]... patterns) {
        long total = 0;
        for (byte[] pattern : patterns) {
            if (pattern.length == 0) {
                throw new IllegalArgumentException("pattern: empty (expected: at least 1 byte)");
            }
            total += pattern.length;
        }
        if (total == 0 || total > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "bytes of patterns: " + total + " (expected: 1 to " + MAX_LENGTH + ")");
        }
        return new SearchPatterns(patterns);
    }

    /// Makes a tree of the patterns; a way that is not there is 0.
    private void plant(byte[][] patterns) {
        int states = 1;
        for (int p = 0; p < patterns.length; p++) {
            int state = 0;
            for (byte b : patterns[p]) {
                int way = state * classCount + (classes[b & 0xFF] & 0xFF);
                if (next[way] == 0) {
                    next[way] = states++;
                }
                state = next[way];
            }
            if (longest[state] >= 0) {
                throw new IllegalArgumentException(
                        "pattern " + p + ": as pattern " + longest[state] + " (expected: another)");
            }
            longest[state] = p;
        }
    }

    /// Gives each state the ways of the longest other state that ends it, nearest states first, and
    /// numbers rows.
    private void link() {
        int[] suffix = new int[longest.length];
        Queue<Integer> nearest = new ArrayDeque<>();
        nearest.add(0);
        while (!nearest.isEmpty()) {
            int state = nearest.remove();
            for (int c = 0; c < classCount; c++) {
                int way = state * classCount + c;
                int target = next[way];
                int other = state == 0 ? 0 : next[suffix[state] * classCount + c];
                if (target == 0) {
                    next[way] = other;
                } else {
                    suffix[target] = other;
                    nearest.add(target);
                    shorter[target] = longest[other] >= 0 ? other : shorter[other];
                    if (longest[target] < 0) {
                        // No pattern is this state, but one may end it.
                        longest[target] = longest[other];
                        shorter[target] = shorter[other];
                    }
                }
            }
        }
        for (int way = 0; way < next.length; way++) {
            next[way] = next[way] * classCount | (longest[next[way]] >= 0 ? FOUND : 0);
        }
    }

    /// Length of the pattern that was number `pattern` when this was made.
    public int length(int pattern) {
        return lengths[pattern];
    }

    /// One that has seen nothing yet.
    public SearchProcessor newProcessor() {
        return new SearchProcessor(this);
    }
}
