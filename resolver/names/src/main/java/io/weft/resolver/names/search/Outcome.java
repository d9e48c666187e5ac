package io.weft.resolver.names.search;

import io.weft.loop.EventExecutor;
import io.weft.resolver.names.NameResolver.Answers;
import io.weft.resolver.names.ResolvedAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The part of a search that a cache can keep, gathered while it goes on.
public final class Outcome implements Answers {
    /// An alias that the search came across.
    public record Alias(String name, String target, Duration timeToLive) {}

    /// Aliases that a lookup follows.
    public static final int MAX_ALIASES = 16;

    private static final int MAX_ADDRESSES = 256; // as a connect tries

    /// Its clock is that of the times to live.
    public final EventExecutor executor;

    public final List<ResolvedAddress> addresses = new ArrayList<>();
    public final List<Alias> aliases = new ArrayList<>(0);

    /// The shortest that was told; null when none was.
    public @Nullable Duration timeToLive;

    public @Nullable Duration absent;

    Outcome(EventExecutor executor) {
        this.executor = executor;
    }

    public boolean hasAnswer() {
        return !addresses.isEmpty();
    }

    @Override
    public void found(List<ResolvedAddress> found) {
        for (ResolvedAddress address : found) {
            if (addresses.size() < MAX_ADDRESSES && !addresses.contains(address)) {
                addresses.add(address);
            }
        }
    }

    @Override
    public void found(List<ResolvedAddress> found, Duration told) {
        found(found);
        shorten(told);
    }

    private void shorten(Duration told) {
        Duration known = timeToLive;
        timeToLive = known == null || told.compareTo(known) < 0 ? told : known;
    }

    @Override
    public void complete(StandardProtocolFamily family) {}

    @Override
    public void removed(List<ResolvedAddress> gone) {
        addresses.removeAll(gone);
    }

    /// The addresses are no longer those of the name when the alias may have changed.
    @Override
    public void alias(String name, String target, Duration told) {
        if (aliases.size() < MAX_ALIASES) {
            aliases.add(new Alias(name, target, told));
        }
        shorten(told);
    }

    @Override
    public void absent(Duration told) {
        absent = told;
    }
}
