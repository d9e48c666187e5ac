package io.weft.ffi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongConsumer;

/// Calls that note their arguments, and return what a test has put into [#results], or 0.
final class ScriptedBsdCalls implements BsdCalls {
    final List<String> made = new ArrayList<>();
    final Deque<Integer> results = new ArrayDeque<>();

    /// Is told the address of each result that calls put into memory.
    LongConsumer fill = _ -> {};

    private int result(String call) {
        made.add(call);
        Integer result = results.poll();
        return result == null ? 0 : result;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result("socket %d 0x%x %d".formatted(domain, type, protocol));
    }

    @Override
    public int accept(int fd, long sockaddr, long lengthPointer) {
        return result("accept " + fd);
    }

    @Override
    public int accept4(int fd, long sockaddr, long lengthPointer, int flags) {
        return result("accept4 %d 0x%x".formatted(fd, flags));
    }

    @Override
    public int connectx(int fd, long endpoints, int flags) {
        fill.accept(endpoints);
        return result("connectx %d %d".formatted(fd, flags));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return result("fcntl %d %d %d".formatted(fd, command, argument));
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int length) {
        fill.accept(value);
        return result("setsockopt %d 0x%x 0x%x %d".formatted(fd, level, name, length));
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long lengthPointer) {
        fill.accept(value);
        return result(
                "getsockopt %d 0x%x 0x%x %d"
                        .formatted(fd, level, name, Memory.getInt(lengthPointer)));
    }

    @Override
    public int getsockname(int fd, long sockaddr, long lengthPointer) {
        fill.accept(sockaddr);
        return result("getsockname " + fd);
    }

    @Override
    public int sendmsg(int fd, long msghdr, int flags) {
        fill.accept(msghdr);
        return result("sendmsg %d 0x%x".formatted(fd, flags));
    }

    @Override
    public int recvmsg(int fd, long msghdr, int flags) {
        fill.accept(msghdr);
        return result("recvmsg %d 0x%x".formatted(fd, flags));
    }

    @Override
    public int sendfileOfMac(int file, int socket, long offset, long length) {
        made.add("length " + Memory.getLong(length));
        fill.accept(length);
        return result("sendfile of %d to %d at %d".formatted(file, socket, offset));
    }

    @Override
    public int sendfileOfFreeBsd(int file, int socket, long offset, long count, long sent) {
        fill.accept(sent);
        return result("sendfile of %d to %d at %d, %d".formatted(file, socket, offset, count));
    }

    @Override
    public int close(int fd) {
        return result("close " + fd);
    }
}
