package io.weft.eventloop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The descriptors of others that one loop watches. They keep no loop from ending. Loop only.
final class Watches implements LoopResource {
    private final Set<Readiness> open = new LinkedHashSet<>();

    static Watches of(EventLoop loop) {
        return loop.engine().resource(Watches.class, _ -> new Watches());
    }

    void opened(Readiness readiness) {
        open.add(readiness);
    }

    void closed(Readiness readiness) {
        open.remove(readiness);
    }

    @Override
    public boolean isEmpty() {
        return true;
    }

    @Override
    public void closeAll() {
        List.copyOf(open).forEach(Readiness::close);
    }

    @Override
    public void abortAll() {}
}
