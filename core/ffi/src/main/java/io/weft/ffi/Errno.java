package io.weft.ffi;

/// Error numbers of Linux, which are the same on every processor that Weft runs on, and their
/// names.
///
/// Calls of this module return them negated: `if (result == -Errno.EAGAIN)`.
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int E2BIG = 7;
    public static final int ENOEXEC = 8;
    public static final int EBADF = 9;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int ESPIPE = 29;
    public static final int EROFS = 30;
    public static final int EMLINK = 31;
    public static final int EPIPE = 32;
    public static final int EDOM = 33;
    public static final int ERANGE = 34;
    public static final int EDEADLK = 35;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOLCK = 37;
    public static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int ENODATA = 61;
    public static final int ETIME = 62;
    public static final int EPROTO = 71;
    public static final int EBADMSG = 74;
    public static final int EOVERFLOW = 75;
    public static final int EBADFD = 77;
    public static final int EILSEQ = 84;
    public static final int EUSERS = 87;
    public static final int ENOTSOCK = 88;
    public static final int EDESTADDRREQ = 89;
    public static final int EMSGSIZE = 90;
    public static final int EPROTOTYPE = 91;
    public static final int ENOPROTOOPT = 92;
    public static final int EPROTONOSUPPORT = 93;
    public static final int ESOCKTNOSUPPORT = 94;
    public static final int EOPNOTSUPP = 95;
    public static final int EPFNOSUPPORT = 96;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ENETRESET = 102;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int EISCONN = 106;
    public static final int ENOTCONN = 107;
    public static final int ESHUTDOWN = 108;
    public static final int ETOOMANYREFS = 109;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTDOWN = 112;
    public static final int EHOSTUNREACH = 113;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int ESTALE = 116;
    public static final int EDQUOT = 122;
    public static final int ECANCELED = 125;

    private static final String[] NAMES = new String[ECANCELED + 1];

    /// Put together once, as failures come by the hundred.
    private static final String[] DESCRIPTIONS = new String[NAMES.length];

    static {
        put(EPERM, "EPERM", "operation not permitted");
        put(ENOENT, "ENOENT", "no such file or directory");
        put(ESRCH, "ESRCH", "no such process");
        put(EINTR, "EINTR", "interrupted system call");
        put(EIO, "EIO", "input/output error");
        put(ENXIO, "ENXIO", "no such device or address");
        put(E2BIG, "E2BIG", "argument list too long");
        put(ENOEXEC, "ENOEXEC", "exec format error");
        put(EBADF, "EBADF", "bad file descriptor");
        put(ECHILD, "ECHILD", "no child processes");
        put(EAGAIN, "EAGAIN", "resource temporarily unavailable");
        put(ENOMEM, "ENOMEM", "cannot allocate memory");
        put(EACCES, "EACCES", "permission denied");
        put(EFAULT, "EFAULT", "bad address");
        put(EBUSY, "EBUSY", "device or resource busy");
        put(EEXIST, "EEXIST", "file exists");
        put(EXDEV, "EXDEV", "invalid cross-device link");
        put(ENODEV, "ENODEV", "no such device");
        put(ENOTDIR, "ENOTDIR", "not a directory");
        put(EISDIR, "EISDIR", "is a directory");
        put(EINVAL, "EINVAL", "invalid argument");
        put(ENFILE, "ENFILE", "too many open files in the system");
        put(EMFILE, "EMFILE", "too many open files in the process");
        put(ENOTTY, "ENOTTY", "inappropriate ioctl for device");
        put(EFBIG, "EFBIG", "file too large");
        put(ENOSPC, "ENOSPC", "no space left on device");
        put(ESPIPE, "ESPIPE", "illegal seek");
        put(EROFS, "EROFS", "read-only file system");
        put(EMLINK, "EMLINK", "too many links");
        put(EPIPE, "EPIPE", "broken pipe");
        put(EDOM, "EDOM", "numerical argument out of domain");
        put(ERANGE, "ERANGE", "numerical result out of range");
        put(EDEADLK, "EDEADLK", "resource deadlock avoided");
        put(ENAMETOOLONG, "ENAMETOOLONG", "file name too long");
        put(ENOLCK, "ENOLCK", "no locks available");
        put(ENOSYS, "ENOSYS", "function not implemented");
        put(ENOTEMPTY, "ENOTEMPTY", "directory not empty");
        put(ELOOP, "ELOOP", "too many levels of symbolic links");
        put(ENODATA, "ENODATA", "no data available");
        put(ETIME, "ETIME", "timer expired");
        put(EPROTO, "EPROTO", "protocol error");
        put(EBADMSG, "EBADMSG", "bad message");
        put(EOVERFLOW, "EOVERFLOW", "value too large for defined data type");
        put(EBADFD, "EBADFD", "file descriptor in bad state");
        put(EILSEQ, "EILSEQ", "invalid or incomplete multibyte character");
        put(EUSERS, "EUSERS", "too many users");
        put(ENOTSOCK, "ENOTSOCK", "socket operation on non-socket");
        put(EDESTADDRREQ, "EDESTADDRREQ", "destination address required");
        put(EMSGSIZE, "EMSGSIZE", "message too long");
        put(EPROTOTYPE, "EPROTOTYPE", "protocol wrong type for socket");
        put(ENOPROTOOPT, "ENOPROTOOPT", "protocol not available");
        put(EPROTONOSUPPORT, "EPROTONOSUPPORT", "protocol not supported");
        put(ESOCKTNOSUPPORT, "ESOCKTNOSUPPORT", "socket type not supported");
        put(EOPNOTSUPP, "EOPNOTSUPP", "operation not supported");
        put(EPFNOSUPPORT, "EPFNOSUPPORT", "protocol family not supported");
        put(EAFNOSUPPORT, "EAFNOSUPPORT", "address family not supported by protocol");
        put(EADDRINUSE, "EADDRINUSE", "address already in use");
        put(EADDRNOTAVAIL, "EADDRNOTAVAIL", "cannot assign requested address");
        put(ENETDOWN, "ENETDOWN", "network is down");
        put(ENETUNREACH, "ENETUNREACH", "network is unreachable");
        put(ENETRESET, "ENETRESET", "network dropped connection on reset");
        put(ECONNABORTED, "ECONNABORTED", "software caused connection abort");
        put(ECONNRESET, "ECONNRESET", "connection reset by peer");
        put(ENOBUFS, "ENOBUFS", "no buffer space available");
        put(EISCONN, "EISCONN", "transport endpoint is already connected");
        put(ENOTCONN, "ENOTCONN", "transport endpoint is not connected");
        put(ESHUTDOWN, "ESHUTDOWN", "cannot send after transport endpoint shutdown");
        put(ETOOMANYREFS, "ETOOMANYREFS", "too many references: cannot splice");
        put(ETIMEDOUT, "ETIMEDOUT", "connection timed out");
        put(ECONNREFUSED, "ECONNREFUSED", "connection refused");
        put(EHOSTDOWN, "EHOSTDOWN", "host is down");
        put(EHOSTUNREACH, "EHOSTUNREACH", "no route to host");
        put(EALREADY, "EALREADY", "operation already in progress");
        put(EINPROGRESS, "EINPROGRESS", "operation now in progress");
        put(ESTALE, "ESTALE", "stale file handle");
        put(EDQUOT, "EDQUOT", "disk quota exceeded");
        put(ECANCELED, "ECANCELED", "operation canceled");
    }

    private Errno() {}

    private static void put(int errno, String name, String text) {
        NAMES[errno] = name;
        DESCRIPTIONS[errno] = name.concat(" (").concat(text).concat(")");
    }

    private static boolean known(int errno) {
        return errno > 0 && errno < NAMES.length && NAMES[errno] != null;
    }

    /// The symbol, as `ECONNRESET`; `errno 4711` for a number without one here.
    public static String name(int errno) {
        return known(errno) ? NAMES[errno] : "errno " + errno;
    }

    /// The symbol and what it means, as `ECONNRESET (connection reset by peer)`.
    public static String describe(int errno) {
        return known(errno) ? DESCRIPTIONS[errno] : name(errno);
    }
}
