package io.weft.http.grpc;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The number of calls whose handlers run. Any thread.
final class ActiveCalls {
    private int count;

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        if (--count == 0) {
            notifyAll();
        }
    }

    synchronized int count() {
        return count;
    }

    synchronized boolean awaitNone(Duration most) throws InterruptedException {
        long end = System.nanoTime() + GrpcTimeout.nanos(most);
        for (long left; count > 0 && (left = end - System.nanoTime()) > 0; ) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return count == 0;
    }
}
