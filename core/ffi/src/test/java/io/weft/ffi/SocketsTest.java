package io.weft.ffi;

import static io.weft.ffi.Sockets.AF_INET;
import static io.weft.ffi.Sockets.SOCK_CLOEXEC;
import static io.weft.ffi.Sockets.SOCK_NONBLOCK;
import static io.weft.ffi.Sockets.SOCK_STREAM;
import static io.weft.ffi.Sockets.SOL_SOCKET;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SocketsTest {
    private static final long SIZE = 4096;

    /// Memory for addresses; the word behind an address is its length.
    private final long memory = Memory.allocate(SIZE, 16);

    private final long lengthPointer = memory + SockAddr.SIZE;
    private final long data = memory + 1024;
    private final List<Integer> opened = new ArrayList<>();
    private InetSocketAddress listening = new InetSocketAddress(0);
    private int listener;

    @BeforeEach
    void listen() {
        listener = open(Sockets.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        int length = write(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        assertThat(Sockets.bind(listener, memory, length)).isZero();
        assertThat(Sockets.listen(listener, 16)).isZero();
        listening = nameOf(listener);
    }

    @AfterEach
    void closeAll() {
        opened.forEach(Libc::close);
        Memory.free(memory, SIZE);
    }

    private int open(int fd) {
        assertThat(fd).as("descriptor, or -errno").isPositive();
        opened.add(fd);
        return fd;
    }

    private int write(InetSocketAddress address) {
        return SockAddr.write(address, AF_INET, memory);
    }

    private InetSocketAddress nameOf(int fd) {
        Memory.putInt(lengthPointer, SockAddr.SIZE);
        assertThat(Sockets.getsockname(fd, memory, lengthPointer)).isZero();
        assertThat(Memory.getInt(lengthPointer)).isEqualTo(SockAddr.SIZE_INET);
        return SockAddr.read(memory);
    }

    private int connect() {
        int fd = open(Sockets.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        assertThat(Sockets.connect(fd, memory, write(listening))).isZero();
        return fd;
    }

    private int accept() {
        Memory.putInt(lengthPointer, SockAddr.SIZE);
        return open(Sockets.accept4(listener, memory, lengthPointer, SOCK_NONBLOCK | SOCK_CLOEXEC));
    }

    @Test
    void bindsToAFreePortAndTellsIt() {
        assertThat(listening.getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
        assertThat(listening.getPort()).isPositive();
    }

    @Test
    void carriesBytesBothWaysUntilTheEnd() {
        int client = connect();
        int server = accept();
        assertThat(SockAddr.read(memory)).isEqualTo(nameOf(client));
        Memory.putLong(data, 0x0102030405060708L);
        assertThat(Sockets.send(client, data, 8, Sockets.MSG_NOSIGNAL)).isEqualTo(8);
        awaitReadable(server);
        assertThat(Sockets.recv(server, data + 8, 64, Sockets.MSG_PEEK)).isEqualTo(8);
        assertThat(Sockets.recv(server, data + 16, 64, 0)).isEqualTo(8);
        assertThat(Memory.mismatch(data, data + 16, 8)).isEqualTo(-1);
        assertThat(Sockets.recv(server, data, 8, 0)).isEqualTo(-Errno.EAGAIN);
        assertThat(Sockets.send(server, data, 3, Sockets.MSG_NOSIGNAL)).isEqualTo(3);
        assertThat(Sockets.shutdown(server, Sockets.SHUT_WR)).isZero();
        assertThat(Sockets.recv(client, data, 3, Sockets.MSG_WAITALL)).isEqualTo(3);
        assertThat(Sockets.recv(client, data, 3, 0)).isZero();
    }

    /// A blocking one-byte peek: the accepted side is non-blocking, and loopback delivery is not
    /// synchronous by contract.
    private void awaitReadable(int fd) {
        int flags = Libc.fcntl(fd, Libc.F_GETFL, 0);
        assertThat(Libc.fcntl(fd, Libc.F_SETFL, flags & ~Libc.O_NONBLOCK)).isZero();
        assertThat(Sockets.recv(fd, data + 512, 1, Sockets.MSG_PEEK)).isEqualTo(1);
        assertThat(Libc.fcntl(fd, Libc.F_SETFL, flags)).isZero();
    }

    @Test
    void gathersAndScatters() {
        int client = connect();
        int server = accept();
        Memory.putInt(data, 0x11111111);
        Memory.putInt(data + 100, 0x22222222);
        Sockets.putIovec(data + 200, data, 4);
        Sockets.putIovec(data + 200 + Sockets.IOVEC_SIZE, data + 100, 4);
        Memory.fill(data + 300, Sockets.MSGHDR_SIZE, (byte) -1);
        Sockets.putMsghdr(data + 300, data + 200, 2);
        assertThat(Sockets.sendmsg(client, data + 300, Sockets.MSG_NOSIGNAL)).isEqualTo(8);
        assertThat(Sockets.writev(client, data + 200, 2)).isEqualTo(8);
        awaitReadable(server);
        Sockets.putIovec(data + 200, data + 400, 6);
        Sockets.putIovec(data + 200 + Sockets.IOVEC_SIZE, data + 406, 2);
        assertThat(Sockets.recvmsg(server, data + 300, 0)).isEqualTo(8);
        assertThat(Memory.getLong(data + 400)).isEqualTo(0x2222222211111111L);
    }

    @Test
    void refusedConnectIsAnErrorNumber() {
        // Bound, so that nobody else listens there, and not listening.
        int bound = open(Sockets.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        int length = write(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        assertThat(Sockets.bind(bound, memory, length)).isZero();
        InetSocketAddress address = nameOf(bound);
        int fd = open(Sockets.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        assertThat(Sockets.connect(fd, memory, write(address))).isEqualTo(-Errno.ECONNREFUSED);
    }

    @Test
    void badDescriptorIsAnErrorNumber() {
        assertThat(Sockets.recv(-1, data, 1, 0)).isEqualTo(-Errno.EBADF);
        assertThat(Sockets.send(-1, data, 1, 0)).isEqualTo(-Errno.EBADF);
        assertThat(Sockets.getOption(-1, SOL_SOCKET, Sockets.SO_ERROR)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.close(-1)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.read(-1, data, 1)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void errorNumbersAreTheCallingThreadsOwn() throws InterruptedException {
        int[] results = new int[1000];
        Thread other = Thread.ofVirtual().start(() -> Arrays.setAll(results, _ -> Libc.close(-1)));
        for (int i = 0; i < results.length; i++) {
            assertThat(Sockets.socket(AF_INET, 99, 0)).isEqualTo(-Errno.EINVAL);
        }
        other.join();
        assertThat(results).containsOnly(-Errno.EBADF);
    }

    @Test
    void setsAndReadsOptions() {
        int fd = connect();
        assertThat(Sockets.getOption(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY)).isZero();
        assertThat(Sockets.setOption(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1)).isZero();
        assertThat(Sockets.getOption(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY)).isEqualTo(1);
        assertThat(Sockets.getOption(fd, SOL_SOCKET, Sockets.SO_ERROR)).isZero();
        assertThat(Sockets.setOption(fd, SOL_SOCKET, 9999, 1)).isEqualTo(-Errno.ENOPROTOOPT);
    }

    @Test
    void lingerZeroResetsThePeer() {
        int client = connect();
        int server = accept();
        assertThat(Sockets.setLinger(server, 0)).isZero();
        assertThat(Libc.close(opened.removeLast())).isZero();
        assertThat(Sockets.recv(client, data, 1, 0)).isEqualTo(-Errno.ECONNRESET);
    }

    @Test
    void descriptorsAreCloseOnExec() {
        connect();
        accept();
        opened.add(Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK));
        assertThat(opened).allSatisfy(fd -> assertThat(closeOnExec(fd)).isTrue());
    }

    private static boolean closeOnExec(int fd) {
        return Libc.fcntl(fd, Libc.F_GETFD, 0) == Libc.FD_CLOEXEC;
    }
}
