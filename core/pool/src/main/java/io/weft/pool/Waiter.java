package io.weft.pool;

import io.weft.channel.Channel;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One acquisition of a channel.
final class Waiter {
    final Promise<Channel> promise;
    private final ChannelPool pool;
    private @Nullable Timeout timeout;

    /// Channel whose check is under way. Under the pool's lock: what takes it, the outcome or the
    /// time-out, decides about the channel.
    private @Nullable Channel checking;

    Waiter(ChannelPool pool) {
        this.pool = pool;
        promise = pool.executor.newPromise();
    }

    /// @return false if the executor took no timer, and the acquisition has failed
    boolean begin() {
        long nanos = TimeUnit.NANOSECONDS.convert(pool.patience); // 292 years at most
        try {
            timeout = pool.executor.schedule(this::late, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            promise.tryFailure(e);
            return false;
        }
        pool.begun(this);
        var _ = promise.addListener(_ -> ended());
        return true;
    }

    private void ended() {
        pool.ended(this);
        synchronized (pool.lock) {
            if (checking != null) {
                return; // the time-out is that of the check as well
            }
        }
        endTimeout();
    }

    private void endTimeout() {
        if (timeout != null) {
            timeout.cancel();
        }
    }

    private void late() {
        if (pool.connectsLate(this)) {
            return;
        }
        promise.tryFailure(new AcquireTimeoutException(pool.patience, pool.size()));
        Channel hanging = takeChecking();
        if (hanging != null) {
            var _ = hanging.close(); // its check may never end
        }
    }

    void checkBegins(Channel channel) {
        synchronized (pool.lock) {
            checking = channel;
        }
    }

    /// Returns the channel whose check has ended; null if the time-out has closed it.
    @Nullable Channel checkEnds() {
        Channel checked = takeChecking();
        if (promise.isDone()) {
            endTimeout();
        }
        return checked;
    }

    private @Nullable Channel takeChecking() {
        synchronized (pool.lock) {
            Channel taken = checking;
            checking = null;
            return taken;
        }
    }
}
