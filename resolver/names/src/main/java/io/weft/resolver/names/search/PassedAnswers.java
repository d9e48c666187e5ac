package io.weft.resolver.names.search;

import io.weft.resolver.names.NameResolver.Answers;
import io.weft.resolver.names.ResolvedAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.List;

/// Answers that are passed on; what a resolver changes about them, it overrides.
public class PassedAnswers implements Answers {
    private final Answers to;

    public PassedAnswers(Answers to) {
        this.to = to;
    }

    /// Returns false when nothing more is to be passed on.
    protected boolean passes() {
        return true;
    }

    @Override
    public void found(List<ResolvedAddress> addresses) {
        if (passes()) {
            to.found(addresses);
        }
    }

    @Override
    public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
        if (passes()) {
            to.found(addresses, timeToLive);
        }
    }

    @Override
    public void complete(StandardProtocolFamily family) {
        if (passes()) {
            to.complete(family);
        }
    }

    @Override
    public void removed(List<ResolvedAddress> addresses) {
        if (passes()) {
            to.removed(addresses);
        }
    }

    @Override
    public void alias(String name, String target, Duration timeToLive) {
        if (passes()) {
            to.alias(name, target, timeToLive);
        }
    }

    @Override
    public void absent(Duration timeToLive) {
        if (passes()) {
            to.absent(timeToLive);
        }
    }
}
