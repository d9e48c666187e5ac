package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Descriptors and mappings: calls of the C library on Linux, each as its man page has it.
///
/// A call that can fail returns **-errno** (see [Errno]) in place of -1 and never throws for it.
/// `EINTR` is returned, not retried. Descriptors and addresses are not checked: an address that the
/// process does not own may be answered with `-EFAULT` or corrupt memory. Every method may be
/// called from any thread; ones that can wait must not be called from a virtual thread with a
/// blocking descriptor, because they would hold its carrier. Call only after
/// [NativeAccess#granted()].
public final class Libc {
    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int EFD_SEMAPHORE = 1;

    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;

    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_POPULATE = 0x8000;
    public static final int MAP_HUGETLB = 0x40000;

    public static final int F_DUPFD_CLOEXEC = 1030;
    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int FD_CLOEXEC = 1;
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_TRUNC = 0x200;
    public static final int O_NOCTTY = 0x100;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;

    public static final int LOCK_EX = 2;
    public static final int LOCK_NB = 4;
    public static final int LOCK_UN = 8;

    /// In place of a directory's descriptor: the working directory.
    public static final int AT_FDCWD = -100;

    /// With an empty name: the descriptor itself.
    public static final int AT_EMPTY_PATH = 0x1000;

    private static final MethodHandle CLOSE =
            Downcall.link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            Downcall.link("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle WRITE =
            Downcall.link(
                    "write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle OPEN =
            Downcall.link(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SENDFILE =
            Downcall.link(
                    "sendfile",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle EVENTFD =
            Downcall.link("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle MMAP =
            Downcall.link(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG));
    private static final MethodHandle MUNMAP =
            Downcall.link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FCNTL =
            Downcall.link(
                    "fcntl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle FLOCK =
            Downcall.link("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle GETPID =
            Downcall.linkTrivial("getpid", FunctionDescriptor.of(JAVA_INT));

    /// Null on Linux.
    private static final @Nullable BsdSockets BSD = BsdSockets.here();

    private Libc() {}

    /// Closes the descriptor. Whatever is returned, `-EINTR` included, it is closed afterwards:
    /// never call it twice, because the number may be another's by then.
    public static int close(int fd) {
        return Downcall.call(CLOSE, fd);
    }

    /// Reads up to `length` bytes to `address`; 0 is the end.
    public static long read(int fd, long address, long length) {
        CallState state = CallState.current();
        try {
            return state.orErrno((long) READ.invokeExact(state.capture, fd, address, length));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Writes up to `length` bytes from `address`. On a socket prefer [Sockets#send] with
    /// `MSG_NOSIGNAL`.
    public static long write(int fd, long address, long length) {
        CallState state = CallState.current();
        try {
            return state.orErrno((long) WRITE.invokeExact(state.capture, fd, address, length));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Opens the file whose name, ending with a zero byte, is at `path`; without `O_CREAT`, which
    /// would need a mode.
    public static int open(long path, int flags) {
        return Downcall.call(OPEN, path, BSD == null ? flags : BSD.openFlags(flags));
    }

    /// Sends up to `length` bytes of the file `in`, from the place that the `long` at `offset`
    /// says, which is moved on; 0 is the end of the file.
    public static long sendfile(int out, int in, long offset, long length) {
        if (BSD != null) {
            return BSD.sendfile(out, in, offset, length);
        }
        CallState state = CallState.current();
        try {
            return state.orErrno(
                    (long) SENDFILE.invokeExact(state.capture, out, in, offset, length));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// A new event counter's descriptor; `flags` of `EFD_CLOEXEC`, `EFD_NONBLOCK`, `EFD_SEMAPHORE`.
    public static int eventfd(int initial, int flags) {
        return Downcall.call(EVENTFD, initial, flags);
    }

    /// Maps memory and returns its address, which is a multiple of the page size.
    public static long mmap(
            long address, long length, int protection, int flags, int fd, long offset) {
        CallState state = CallState.current();
        try {
            return state.orErrno(
                    (long)
                            MMAP.invokeExact(
                                    state.capture, address, length, protection, flags, fd, offset));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Unmaps memory. SAFETY: a later access to the range kills the process; nothing may still
    /// point there.
    public static int munmap(long address, long length) {
        return Downcall.call(MUNMAP, address, length);
    }

    /// Makes a descriptor wait or not (`O_NONBLOCK`); without a call of its own if it does already.
    public static int blocking(int fd, boolean blocking) {
        if (BSD != null) {
            return BSD.blocking(fd, blocking);
        }
        int flags = fcntl(fd, F_GETFL, 0);
        if (flags < 0) {
            return flags;
        }
        int wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
        return flags == wanted ? 0 : fcntl(fd, F_SETFL, wanted);
    }

    /// `fcntl` for the commands that take an `int`, or none (pass 0), with numbers of the system:
    /// `F_GETFD`, `F_SETFD` and `FD_CLOEXEC` are the same everywhere.
    public static int fcntl(int fd, int command, int argument) {
        return Downcall.call(FCNTL, fd, command, argument);
    }

    /// Locks or unlocks a whole file, for all its descriptors that come of one `open`; `operation`
    /// of `LOCK_EX`, `LOCK_NB` and `LOCK_UN`.
    public static int flock(int fd, int operation) {
        return Downcall.call(FLOCK, fd, operation);
    }

    public static int getpid() {
        try {
            return (int) GETPID.invokeExact();
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }
}
