package io.weft.channel;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// The places of handlers that may stand in one pipeline at a time, by the handler's identity. Any
/// thread.
///
/// Open addressing in stripes of a lock each. Hashes lie beside the contexts, so that a search
/// reads one line of memory and follows no reference to other handlers. If a channel's loop is
/// driven by its caller, its places are held weakly: a test may drop such a channel without closing
/// it. Other channels are reachable from their loop's thread anyway.
final class Placements {
    private static final int STRIPES = 64;
    private static final int STRIPE_BITS = Integer.numberOfTrailingZeros(STRIPES);
    private static final int LEAST_CAPACITY = 8;
    private static final Placements[] ALL = new Placements[STRIPES];

    static {
        for (int i = 0; i < STRIPES; i++) {
            ALL[i] = new Placements();
        }
    }

    /// With the highest bit set; 0 where an entry is free. Linear probing.
    private int[] hashes = new int[LEAST_CAPACITY];

    /// A `ChannelHandlerContext`, or a weak reference to one.
    private @Nullable Object[] places = new @Nullable Object[LEAST_CAPACITY];

    private int size;

    private Placements() {}

    /// Takes the place for a handler unless it has one already; a removed one in the same pipeline
    /// does not count.
    ///
    /// @return the place that the handler has; null if it has got this one
    static @Nullable ChannelHandlerContext take(ChannelHandlerContext ctx) {
        int hash = System.identityHashCode(ctx.handler);
        return ALL[hash & (STRIPES - 1)].add(ctx, hash | Integer.MIN_VALUE);
    }

    /// Gives up the place, unless the handler has got another one since.
    static void leave(ChannelHandlerContext ctx) {
        int hash = System.identityHashCode(ctx.handler);
        ALL[hash & (STRIPES - 1)].remove(ctx, hash | Integer.MIN_VALUE);
    }

    private synchronized @Nullable ChannelHandlerContext add(ChannelHandlerContext ctx, int hash) {
        if (size >= hashes.length - hashes.length / 4) {
            rehash();
        }
        int at = find(ctx.handler, hash);
        ChannelHandlerContext there = place(at);
        if (there != null && !(there.pipeline() == ctx.pipeline() && there.isRemoved())) {
            return there;
        }
        Object entry = ctx.eventLoop().isManual() ? new WeakReference<>(ctx) : ctx;
        size += hashes[at] == 0 ? 1 : 0;
        hashes[at] = hash;
        places[at] = entry;
        return null;
    }

    private synchronized void remove(ChannelHandlerContext ctx, int hash) {
        int at = find(ctx.handler, hash);
        if (place(at) != ctx) {
            return;
        }
        size--;
        close(at);
        if (size < hashes.length / 8 && hashes.length > LEAST_CAPACITY) {
            rehash();
        }
    }

    /// The index of a handler's entry, or of the free one where it belongs.
    private int find(ChannelHandler handler, int hash) {
        int at = home(hash);
        while (hashes[at] != 0 && !(hashes[at] == hash && isOf(handler, at))) {
            at = next(at);
        }
        return at;
    }

    private boolean isOf(ChannelHandler handler, int at) {
        ChannelHandlerContext there = place(at);
        return there != null && there.handler == handler;
    }

    @SuppressWarnings("unchecked") // nothing else is put there
    private @Nullable ChannelHandlerContext place(int at) {
        Object entry = places[at];
        return entry instanceof WeakReference<?> weak
                ? ((WeakReference<ChannelHandlerContext>) weak).get()
                : (ChannelHandlerContext) entry;
    }

    /// Frees an entry and moves those behind it that it kept from their home.
    private void close(int free) {
        for (int at = next(free); hashes[at] != 0; at = next(at)) {
            int mask = hashes.length - 1;
            if (((at - home(hashes[at])) & mask) >= ((at - free) & mask)) {
                hashes[free] = hashes[at];
                places[free] = places[at];
                free = at;
            }
        }
        hashes[free] = 0;
        places[free] = null;
    }

    /// Drops the entries of channels that were dropped, and fits the table to the others.
    private void rehash() {
        int count = 0;
        for (int i = 0; i < hashes.length; i++) {
            count += place(i) == null ? 0 : 1;
        }
        int capacity = Math.max(Integer.highestOneBit(count) * 4, LEAST_CAPACITY);
        int[] oldHashes = hashes;
        @Nullable Object[] oldPlaces = places;
        int[] newHashes = new int[capacity];
        places = new @Nullable Object[capacity]; // after the other: one may fail for want of memory
        hashes = newHashes;
        size = 0;
        for (int i = 0; i < oldHashes.length; i++) {
            Object entry = oldPlaces[i];
            if (entry == null || (entry instanceof WeakReference<?> weak && weak.refersTo(null))) {
                continue;
            }
            int at = home(oldHashes[i]);
            while (hashes[at] != 0) {
                at = next(at);
            }
            hashes[at] = oldHashes[i];
            places[at] = entry;
            size++;
        }
    }

    private int home(int hash) {
        return (hash >>> STRIPE_BITS) & (hashes.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (hashes.length - 1);
    }
}
