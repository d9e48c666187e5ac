package io.weft.transport.kqueue;

import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Kevent;
import io.weft.ffi.KqueueCalls;
import io.weft.ffi.Memory;
import io.weft.transport.posix.ReadinessQueue;
import java.util.ArrayDeque;

/// One kqueue. Each direction of a descriptor is a filter, level-triggered, that is there while
/// there is interest in it.
///
/// **Errors** come without interest on epoll. Here a target that wants them has its filter for
/// output all the time, edge-triggered (`EV_CLEAR`): while there is no interest in output, with a
/// low-water mark that no buffer reaches, so that only the end of the connection is told.
///
/// **Changes** of interest are kept back and made by the call that waits for events, so they cost
/// no call of their own. A change that undoes one which was kept back replaces it. What is kept
/// back for a descriptor is dropped before that is closed, as its number may be another's by then.
///
/// **Wake-ups** trigger a user filter (`EVFILT_USER`), which forgets that it was when it is told.
final class KqueueQueue implements ReadinessQueue {
    private static final int MAX_EVENTS = 256;
    private static final int MAX_CHANGES = 64;

    private final KqueueCalls calls;
    private final Kevent kevent;
    private final int queue;

    /// An array of [#MAX_CHANGES], and behind it as many for their receipts.
    private final long changes;

    /// The change that wakes up; other threads read it, so it never changes.
    private final long trigger;

    private final long events;
    private final long memory;
    private final int memorySize;
    private int changeCount;

    /// Keys of descriptors whose filters could not be added, to be told by the next wait.
    private final ArrayDeque<Long> failed = new ArrayDeque<>(0);

    KqueueQueue(KqueueCalls calls, Kevent kevent) throws EngineUnavailableException {
        this.calls = calls;
        this.kevent = kevent;
        memorySize = (2 * MAX_CHANGES + MAX_EVENTS + 1) * kevent.size();
        memory = Memory.allocate(memorySize, 64);
        changes = memory;
        events = kevent.element(changes, 2 * MAX_CHANGES);
        trigger = kevent.element(events, MAX_EVENTS);
        queue = calls.kqueue();
        int result = queue;
        if (queue >= 0) {
            put(0, kevent.userFilter(), Kevent.EV_ADD | Kevent.EV_CLEAR, WAKEUP);
            result = flush();
        }
        if (result < 0) {
            close();
            throw new EngineUnavailableException("kqueue: " + Errno.describe(-result));
        }
        kevent.put(trigger, 0, kevent.userFilter(), 0, Kevent.NOTE_TRIGGER, WAKEUP);
    }

    // ---- interest ----

    private static boolean reads(int interest) {
        return (interest & (Epoll.EPOLLIN | Epoll.EPOLLRDHUP)) != 0;
    }

    private static boolean writes(int interest) {
        return (interest & Epoll.EPOLLOUT) != 0;
    }

    @Override
    public int add(int fd, int wanted, long key) {
        return change(fd, 0, wanted, key);
    }

    @Override
    public int change(int fd, int before, int wanted, long key) {
        filter(fd, Kevent.EVFILT_READ, reads(before), reads(wanted), key);
        if ((wanted & Epoll.EPOLLERR) == 0) {
            filter(fd, Kevent.EVFILT_WRITE, writes(before), writes(wanted), key);
        } else if ((before & Epoll.EPOLLERR) == 0 || writes(before) != writes(wanted)) {
            outputAndErrors(fd, writes(wanted), key);
        }
        return 0;
    }

    /// Adds or changes the filter of a target that wants errors. Adding it again looks anew whether
    /// the mark is reached.
    private void outputAndErrors(int fd, boolean output, long key) {
        boolean _ = undo(fd, Kevent.EVFILT_WRITE);
        put(fd, Kevent.EVFILT_WRITE, Kevent.EV_ADD | Kevent.EV_CLEAR, key);
        if (!output) {
            long at = kevent.element(changes, changeCount - 1);
            Memory.putInt(at + Kevent.FFLAGS, Kevent.NOTE_LOWAT);
            Memory.putLong(at + Kevent.DATA, Integer.MAX_VALUE);
        }
    }

    /// Makes the changes at once: the descriptor is its owner's to close, which nobody tells here.
    @Override
    public int remove(int fd, int before) {
        int _ = change(fd, before, 0, WAKEUP);
        return flush();
    }

    private void filter(int fd, int filter, boolean before, boolean wanted, long key) {
        if (before == wanted) {
            return;
        }
        if (!undo(fd, filter)) {
            // A filter that fails to be deleted is gone, which nobody needs to be told.
            put(fd, filter, wanted ? Kevent.EV_ADD : Kevent.EV_DELETE, wanted ? key : WAKEUP);
        }
    }

    /// Drops the change of this filter that was kept back.
    ///
    /// @return true if there was one: then the kernel has the filter as it is wanted
    private boolean undo(int fd, int filter) {
        for (int i = changeCount - 1; i >= 0; i--) {
            long at = kevent.element(changes, i);
            if (Kevent.ident(at) == fd && Kevent.filter(at) == filter) {
                changeCount--;
                Memory.copy(kevent.element(changes, changeCount), at, kevent.size());
                return true;
            }
        }
        return false;
    }

    private void put(int ident, int filter, int flags, long key) {
        if (changeCount == MAX_CHANGES) {
            int _ = flush();
        }
        kevent.put(kevent.element(changes, changeCount++), ident, filter, flags, 0, key);
    }

    /// Makes the changes now, without taking events.
    ///
    /// @return the first error, or 0
    private int flush() {
        if (changeCount == 0) {
            return 0;
        }
        for (int i = 0; i < changeCount; i++) {
            long flags = kevent.element(changes, i) + Kevent.FLAGS;
            Memory.putShort(flags, (short) (Memory.getShort(flags) | Kevent.EV_RECEIPT));
        }
        long receipts = kevent.element(changes, MAX_CHANGES);
        int count = calls.kevent(queue, changes, changeCount, receipts, changeCount, 0);
        changeCount = 0;
        int result = Math.min(count, 0);
        for (int i = 0; i < count; i++) {
            long receipt = kevent.element(receipts, i);
            if (Kevent.data(receipt) != 0) {
                result = result == 0 ? (int) -Kevent.data(receipt) : result;
                if (Kevent.udata(receipt) != WAKEUP) {
                    failed.add(Kevent.udata(receipt));
                }
            }
        }
        return result;
    }

    @Override
    public int check(int fd) {
        int _ = flush();
        put(fd, Kevent.EVFILT_READ, Kevent.EV_ADD | Kevent.EV_DISABLE, WAKEUP);
        int result = flush();
        if (result == 0) {
            put(fd, Kevent.EVFILT_READ, Kevent.EV_DELETE, WAKEUP);
            result = flush();
        }
        return result;
    }

    @Override
    public void closing(int fd, int before, boolean shared) {
        boolean _ = undo(fd, Kevent.EVFILT_READ);
        boolean _ = undo(fd, Kevent.EVFILT_WRITE);
        // Filters belong to the descriptor, and go with it.
    }

    // ---- events ----

    @Override
    public int await(long timeoutNanos) {
        long patience = failed.isEmpty() ? timeoutNanos : 0;
        int count = calls.kevent(queue, changes, changeCount, events, MAX_EVENTS, patience);
        if (count == -Errno.EINTR) {
            changeCount = 0; // kevent(2): all changes have been applied
            return count;
        }
        if (count < 0) {
            throw new IllegalStateException("kevent: " + Errno.describe(-count));
        }
        changeCount = 0;
        for (; count < MAX_EVENTS && !failed.isEmpty(); count++) {
            kevent.put(kevent.element(events, count), 0, 0, Kevent.EV_ERROR, 0, failed.remove());
        }
        return count;
    }

    @Override
    public long key(int index) {
        return Kevent.udata(kevent.element(events, index));
    }

    @Override
    public int events(int index) {
        long at = kevent.element(events, index);
        int flags = Kevent.flags(at);
        if ((flags & Kevent.EV_ERROR) != 0) {
            return Epoll.EPOLLERR;
        }
        boolean eof = (flags & Kevent.EV_EOF) != 0;
        int error = eof && Kevent.fflags(at) != 0 ? Epoll.EPOLLERR : 0;
        return Kevent.filter(at) == Kevent.EVFILT_READ
                ? Epoll.EPOLLIN | (eof ? Epoll.EPOLLRDHUP : 0) | error
                : Epoll.EPOLLOUT | error;
    }

    @Override
    public void wakeup() {
        int _ = calls.kevent(queue, trigger, 1, 0, 0, 0);
    }

    @Override
    public void close() {
        if (queue >= 0) {
            int _ = calls.close(queue);
        }
        Memory.free(memory, memorySize);
    }
}
