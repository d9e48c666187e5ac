package io.weft.buffer;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/// A buffer and the unreleasable views of it, which end with it. Views are kept weakly: a constant
/// is lent for as long as the program runs.
final class Lending {
    private static final int MIN_SWEEP = 16;

    final Buffer lender;
    private final List<WeakReference<Buffer>> views = new ArrayList<>();
    private int sweepAt = MIN_SWEEP;

    Lending(Buffer lender) {
        this.lender = lender;
    }

    /// The lender cannot be released meanwhile.
    synchronized void add(Buffer view) {
        if (views.size() >= sweepAt) {
            views.removeIf(old -> old.refersTo(null));
            sweepAt = Math.max(MIN_SWEEP, 2 * views.size());
        }
        views.add(new WeakReference<>(view));
    }

    /// The lender gives up its memory.
    synchronized void end() {
        for (WeakReference<Buffer> reference : views) {
            Buffer view = reference.get();
            if (view != null) {
                view.block = null;
            }
        }
        views.clear();
    }
}
