package io.weft.resolver.dns;

import io.weft.loop.EventExecutor;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/// Answers of a search on the resolver's loop, handed to the caller on its executor, in order, and
/// none when the search has ended.
///
/// @param here whether that executor is the loop on which the answers are found
record ForwardedAnswers(
        EventExecutor executor, boolean here, Promise<Void> search, NameResolver.Answers answers)
        implements NameResolver.Answers {
    @Override
    public void found(List<ResolvedAddress> addresses) {
        forward(() -> answers.found(addresses));
    }

    @Override
    public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
        forward(() -> answers.found(addresses, timeToLive));
    }

    @Override
    public void complete(StandardProtocolFamily family) {
        forward(() -> answers.complete(family));
    }

    @Override
    public void absent(Duration timeToLive) {
        forward(() -> answers.absent(timeToLive));
    }

    private void forward(Runnable answer) {
        then(
                () -> {
                    if (!search.isDone()) {
                        answer.run();
                    }
                });
    }

    /// Runs `task` behind the answers so far.
    void then(Runnable task) {
        if (here) {
            runHere(task);
            return;
        }
        try {
            executor.executeUnbounded(task);
        } catch (RejectedExecutionException e) {
            search.tryFailure(e);
        }
    }

    /// As a task would: what it throws does not end the search.
    private void runHere(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            executor.executeUnbounded(
                    () -> {
                        throw e;
                    });
        }
    }
}
