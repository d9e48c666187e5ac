package io.weft.transport.kqueue;

import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Kevent;
import io.weft.ffi.KqueueCalls;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Tty;
import java.util.HashMap;
import java.util.Map;

/// A kqueue on Linux for tests, with the semantics of kqueue(2): changes before events, receipts and
/// errors of changes as events, one note a descriptor and filter, `EV_CLEAR`, `EV_ONESHOT`,
/// `EV_DISPATCH`, `EV_EOF` with the socket's error in `fflags`, a user filter, notes that go with
/// their descriptor.
///
/// Each direction has an epoll instance of its own, so that a descriptor can be level-triggered in
/// one and edge-triggered in the other; a third one watches these two and the user filter's counter.
/// One queue, which one thread changes and takes events of; any thread triggers.
final class ScriptedKqueue implements KqueueCalls {
    private static final int MAX = 256;

    /// @param mark that the bytes to be read, or the room to be written to, have to reach
    private record Note(int flags, long udata, boolean enabled, long mark) {
        boolean is(int flag) {
            return (flags & flag) != 0;
        }
    }

    private final Kevent layout;
    private final Map<Integer, Note> reads = new HashMap<>();
    private final Map<Integer, Note> writes = new HashMap<>();
    private final long ready = Memory.allocate((long) MAX * Epoll.EVENT_SIZE + 16, 64);
    private final long counter = ready + (long) MAX * Epoll.EVENT_SIZE;
    private int all = -1;
    private int readable = -1;
    private int writable = -1;
    private int user = -1;
    private Note userNote = new Note(0, 0, false, 0);

    ScriptedKqueue(Kevent layout) {
        this.layout = layout;
    }

    @Override
    public int kqueue() {
        all = Epoll.create();
        readable = Epoll.create();
        writable = Epoll.create();
        user = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        Epoll.ctl(all, Epoll.CTL_ADD, readable, Epoll.EPOLLIN, readable);
        Epoll.ctl(all, Epoll.CTL_ADD, writable, Epoll.EPOLLIN, writable);
        Epoll.ctl(all, Epoll.CTL_ADD, user, Epoll.EPOLLIN, user);
        return all;
    }

    @Override
    public int kevent(
            int queue,
            long changes,
            int changeCount,
            long events,
            int eventCount,
            long timeoutNanos) {
        int count = 0;
        for (int i = 0; i < changeCount; i++) {
            long change = layout.element(changes, i);
            int error = apply(change);
            if (error == 0 && (Kevent.flags(change) & Kevent.EV_RECEIPT) == 0) {
                continue;
            }
            if (count == eventCount) {
                return -error; // and the later changes are not made
            }
            long receipt = layout.element(events, count++);
            Memory.copy(change, receipt, layout.size());
            Memory.putShort(receipt + Kevent.FLAGS, (short) Kevent.EV_ERROR);
            Memory.putLong(receipt + Kevent.DATA, error);
        }
        return count > 0 || eventCount == 0 ? count : take(events, eventCount, timeoutNanos);
    }

    // ---- changes ----

    private int apply(long change) {
        int filter = Kevent.filter(change);
        if (filter == layout.userFilter()) {
            return applyToUser(change);
        }
        boolean reading = filter == Kevent.EVFILT_READ;
        if (!reading && filter != Kevent.EVFILT_WRITE) {
            return Errno.EINVAL;
        }
        Map<Integer, Note> notes = reading ? reads : writes;
        int epoll = reading ? readable : writable;
        int fd = (int) Kevent.ident(change);
        if (Libc.fcntl(fd, Libc.F_GETFD, 0) < 0) {
            notes.remove(fd);
            return Errno.EBADF;
        }
        int flags = Kevent.flags(change);
        boolean known = notes.containsKey(fd) && isWatched(epoll, fd);
        if ((flags & Kevent.EV_ADD) == 0 && !known) {
            return Errno.ENOENT;
        }
        if ((flags & Kevent.EV_DELETE) != 0) {
            notes.remove(fd);
            return -Epoll.ctl(epoll, Epoll.CTL_DEL, fd, 0, 0);
        }
        Note before = known ? notes.get(fd) : new Note(0, 0, true, 0);
        boolean enabled =
                (flags & Kevent.EV_DISABLE) == 0
                        && (before.enabled || (flags & (Kevent.EV_ENABLE | Kevent.EV_ADD)) != 0);
        boolean adds = (flags & Kevent.EV_ADD) != 0;
        Note note =
                new Note(
                        adds ? flags : before.flags,
                        adds ? Kevent.udata(change) : before.udata,
                        enabled,
                        adds ? mark(change) : before.mark);
        int result =
                Epoll.ctl(
                        epoll,
                        known ? Epoll.CTL_MOD : Epoll.CTL_ADD,
                        fd,
                        interest(note, reading),
                        fd);
        if (result == 0) {
            notes.put(fd, note);
        }
        return -result;
    }

    private static long mark(long change) {
        return (Kevent.fflags(change) & Kevent.NOTE_LOWAT) == 0 ? 0 : Kevent.data(change);
    }

    /// A closed descriptor has taken its note along; its number may be another's by now.
    private static boolean isWatched(int epoll, int fd) {
        return Epoll.ctl(epoll, Epoll.CTL_ADD, fd, 0, fd) == -Errno.EEXIST
                || Epoll.ctl(epoll, Epoll.CTL_DEL, fd, 0, 0) != 0;
    }

    private static int interest(Note note, boolean reading) {
        if (!note.enabled) {
            return Epoll.EPOLLET; // errors and hang-ups once, which are passed over
        }
        int wanted = reading ? Epoll.EPOLLIN | Epoll.EPOLLRDHUP : Epoll.EPOLLOUT;
        return wanted | (note.is(Kevent.EV_CLEAR) ? Epoll.EPOLLET : 0);
    }

    private int applyToUser(long change) {
        if ((Kevent.fflags(change) & Kevent.NOTE_TRIGGER) != 0) {
            // By any thread: an eventfd is read and written by calls alone.
            long one = Memory.allocate(8, 8);
            Memory.putLong(one, 1);
            Libc.write(user, one, 8);
            Memory.free(one, 8);
        } else {
            userNote = new Note(Kevent.flags(change), Kevent.udata(change), true, 0);
        }
        return 0;
    }

    // ---- events ----

    private int take(long events, int eventCount, long timeoutNanos) {
        long timeout = timeoutNanos == Long.MAX_VALUE ? -1 : timeoutNanos;
        int result = Epoll.wait2(all, ready, MAX, timeout);
        if (result <= 0) {
            return result;
        }
        int count = takeUser(events);
        count += take(events, count, eventCount, readable, reads, Kevent.EVFILT_READ);
        return count + take(events, count, eventCount, writable, writes, Kevent.EVFILT_WRITE);
    }

    private int takeUser(long events) {
        if (Libc.read(user, counter, 8) != 8) {
            return 0;
        }
        if (!userNote.is(Kevent.EV_CLEAR)) {
            throw new AssertionError("a user filter that stays triggered");
        }
        layout.put(events, 0, layout.userFilter(), Kevent.EV_CLEAR, 0, userNote.udata);
        return 1;
    }

    private int take(
            long events, int from, int to, int epoll, Map<Integer, Note> notes, int filter) {
        int room = Math.min(to - from, MAX);
        int found = room > 0 ? Epoll.wait(epoll, ready, room, 0) : 0;
        int count = 0;
        for (int i = 0; i < found; i++) {
            int fd = (int) Epoll.data(ready, i);
            Note note = notes.get(fd);
            if (note == null || !note.enabled) {
                continue;
            }
            if (!put(layout.element(events, from + count), fd, filter, note, ready(i))) {
                continue; // below its mark
            }
            count++;
            if (note.is(Kevent.EV_ONESHOT)) {
                notes.remove(fd);
                Epoll.ctl(epoll, Epoll.CTL_DEL, fd, 0, 0);
            } else if (note.is(Kevent.EV_DISPATCH)) {
                notes.put(fd, new Note(note.flags, note.udata, false, note.mark));
                Epoll.ctl(epoll, Epoll.CTL_MOD, fd, Epoll.EPOLLET, fd);
            }
        }
        return count;
    }

    private int ready(int index) {
        return Epoll.events(ready, index);
    }

    private boolean put(long at, int fd, int filter, Note note, int told) {
        boolean reading = filter == Kevent.EVFILT_READ;
        // The end of input for one filter, of output for the other; both with an error.
        boolean eof = (told & Epoll.EPOLLHUP) != 0 || (reading && (told & Epoll.EPOLLRDHUP) != 0);
        int error = eof && (told & Epoll.EPOLLERR) != 0 ? Errno.ECONNRESET : 0;
        int flags = note.flags & (Kevent.EV_CLEAR | Kevent.EV_ONESHOT | Kevent.EV_DISPATCH);
        layout.put(at, fd, filter, flags | (eof ? Kevent.EV_EOF : 0), error, note.udata);
        long data = reading ? Math.max(Tty.ask(fd, Tty.FIONREAD), 0) : 1;
        Memory.putLong(at + Kevent.DATA, data);
        return eof || data >= note.mark;
    }

    @Override
    public int close(int queue) {
        Libc.close(readable);
        Libc.close(writable);
        Libc.close(user);
        Memory.free(ready, (long) MAX * Epoll.EVENT_SIZE + 16);
        return Libc.close(all);
    }
}
