package io.weft.ffi;

/// Calls of the C library of macOS and FreeBSD that [BsdSockets] needs, in numbers of the system.
/// Errors as [Libc] says, in the numbers of Linux.
interface BsdCalls {
    int socket(int domain, int type, int protocol);

    int accept(int fd, long sockaddr, long lengthPointer);

    /// FreeBSD only.
    int accept4(int fd, long sockaddr, long lengthPointer, int flags);

    /// macOS only.
    int connectx(int fd, long endpoints, int flags);

    int fcntl(int fd, int command, int argument);

    int setsockopt(int fd, int level, int name, long value, int length);

    int getsockopt(int fd, int level, int name, long value, long lengthPointer);

    int getsockname(int fd, long sockaddr, long lengthPointer);

    int sendmsg(int fd, long msghdr, int flags);

    int recvmsg(int fd, long msghdr, int flags);

    /// `sendfile` of macOS, whose `off_t` at `length` is how much to send, and then how much was
    /// sent.
    int sendfileOfMac(int file, int socket, long offset, long length);

    /// `sendfile` of FreeBSD, which puts how much was sent into the `off_t` at `sent`.
    int sendfileOfFreeBsd(int file, int socket, long offset, long count, long sent);

    int close(int fd);
}
