package io.weft.codec.smtp;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Lines of a reply that are known to be text without controls; unmodifiable.
final class ReplyLines extends AbstractList<String> implements RandomAccess {
    private final String[] lines;

    /// @param lines checked, at least one
    ReplyLines(List<String> lines) {
        this.lines = lines.toArray(new String[0]);
    }

    @Override
    public String get(int index) {
        return lines[index];
    }

    @Override
    public int size() {
        return lines.length;
    }
}
