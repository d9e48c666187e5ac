package io.weft.transport.epoll;

import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.transport.posix.ReadinessQueue;

/// One epoll instance, level-triggered.
///
/// Wake-ups come through an event counter that is registered edge-triggered: each write is an
/// event, and the counter never has to be read.
final class EpollQueue implements ReadinessQueue {
    private static final int MAX_EVENTS = 256;
    private static final int NANOS_A_MILLI = 1_000_000;

    private final int epoll;
    private final int wakeup;
    private final long one;
    private final long ready;
    private final boolean nanoseconds;

    EpollQueue() throws EngineUnavailableException {
        epoll = made(Epoll.create(), "epoll_create1");
        int counter = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        int added = counter < 0 ? counter : add(counter, Epoll.EPOLLIN | Epoll.EPOLLET, WAKEUP);
        if (added < 0) {
            Libc.close(epoll);
            if (counter >= 0) {
                Libc.close(counter);
            }
            throw new EngineUnavailableException("eventfd: " + Errno.describe(-added));
        }
        wakeup = counter;
        one = Memory.allocate(8, 8);
        Memory.putLong(one, 1);
        ready = Memory.allocate((long) MAX_EVENTS * Epoll.EVENT_SIZE, 64);
        // Old kernels say ENOSYS, old seccomp profiles EPERM.
        nanoseconds = Epoll.wait2(epoll, ready, MAX_EVENTS, 0) >= 0;
    }

    private static int made(int result, String call) throws EngineUnavailableException {
        if (result < 0) {
            throw new EngineUnavailableException(call + ": " + Errno.describe(-result));
        }
        return result;
    }

    boolean hasNanoseconds() {
        return nanoseconds;
    }

    // ---- interest ----

    @Override
    public int add(int fd, int events, long key) {
        return Epoll.ctl(epoll, Epoll.CTL_ADD, fd, events, key);
    }

    @Override
    public int change(int fd, int before, int events, long key) {
        return Epoll.ctl(epoll, Epoll.CTL_MOD, fd, events, key);
    }

    @Override
    public int remove(int fd, int before) {
        return Epoll.ctl(epoll, Epoll.CTL_DEL, fd, 0, 0);
    }

    @Override
    public int check(int fd) {
        int result = add(fd, 0, WAKEUP);
        return result < 0 ? result : remove(fd, 0);
    }

    @Override
    public void closing(int fd, int before, boolean shared) {
        if (shared) {
            int _ = remove(fd, before);
        }
    }

    // ---- events ----

    @Override
    public int await(long timeoutNanos) {
        int count;
        if (timeoutNanos > 0 && timeoutNanos < Long.MAX_VALUE && nanoseconds) {
            count = Epoll.wait2(epoll, ready, MAX_EVENTS, timeoutNanos);
        } else {
            count = Epoll.wait(epoll, ready, MAX_EVENTS, millis(timeoutNanos));
        }
        if (count < 0 && count != -Errno.EINTR) {
            throw new IllegalStateException("epoll_wait: " + Errno.describe(-count));
        }
        return count;
    }

    /// Rounded up: rounded down, a loop would spin through the last millisecond before each timer.
    private static int millis(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            return -1;
        }
        long millis = nanos / NANOS_A_MILLI + (nanos % NANOS_A_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    @Override
    public long key(int index) {
        return Epoll.data(ready, index);
    }

    @Override
    public int events(int index) {
        return Epoll.events(ready, index);
    }

    @Override
    public void wakeup() {
        Libc.write(wakeup, one, 8);
    }

    @Override
    public void close() {
        Libc.close(epoll);
        Libc.close(wakeup);
        Memory.free(ready, (long) MAX_EVENTS * Epoll.EVENT_SIZE);
        Memory.free(one, 8);
    }
}
