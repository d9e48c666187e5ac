package io.weft.bench.transport.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.SockAddr;
import io.weft.ffi.SockAddrUn;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A socket of a load generator: the calls of the C library and nothing around them, the same for
/// all sides. Sends wait; receives do not, unless asked to. For one thread.
final class RawSocket implements AutoCloseable {
    private static final int DATA = 64 << 10;
    private static final int SPINS = 16;
    private static final int BACKLOG = 4096;

    /// Some ten seconds.
    private static final int PATIENCE = 10_000_000;

    private static final long MEMORY = Memory.allocate(SockAddr.SIZE + DATA, 64);

    /// The bytes that are sent and the place where they are received: they are never looked at.
    static final long BUFFER = MEMORY + SockAddr.SIZE;

    private final int fd;

    private RawSocket(int fd) {
        this.fd = fd;
    }

    private static RawSocket open(int family, int type) throws IOException {
        return new RawSocket(
                check(Sockets.socket(family, type | Sockets.SOCK_CLOEXEC, 0), "socket"));
    }

    /// A stream to `address`; what is written goes out at once.
    static RawSocket connect(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            RawSocket socket = open(Sockets.AF_UNIX, Sockets.SOCK_STREAM);
            byte[] path = unix.getPath().toString().getBytes(StandardCharsets.UTF_8);
            return socket.connect(SockAddrUn.writePath(path, MEMORY));
        }
        RawSocket socket = open(Sockets.AF_INET, Sockets.SOCK_STREAM);
        Sockets.setOption(socket.fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
        return socket.connect(write(address));
    }

    /// Datagrams to and from `address`.
    static RawSocket datagrams(InetSocketAddress address) throws IOException {
        return open(Sockets.AF_INET, Sockets.SOCK_DGRAM).connect(write(address));
    }

    /// Listens on a port of the system's choice.
    static RawSocket listen() throws IOException {
        RawSocket socket = open(Sockets.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        check(Sockets.bind(socket.fd, MEMORY, write(any)), "bind");
        check(Sockets.listen(socket.fd, BACKLOG), "listen");
        return socket;
    }

    /// Returns the port that a listening socket has.
    int port() throws IOException {
        Memory.putInt(BUFFER, SockAddr.SIZE);
        check(Sockets.getsockname(fd, MEMORY, BUFFER), "getsockname");
        return SockAddr.read(MEMORY).getPort();
    }

    /// Takes a connection that waits; null when there is none.
    @Nullable RawSocket accept() throws IOException {
        int result = Sockets.accept4(fd, 0, 0, Sockets.SOCK_CLOEXEC);
        if (result == -Errno.EAGAIN) {
            return null;
        }
        RawSocket accepted = new RawSocket(check(result, "accept4"));
        Sockets.setOption(accepted.fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
        return accepted;
    }

    private static int write(SocketAddress address) {
        return SockAddr.write((InetSocketAddress) address, Sockets.AF_INET, MEMORY);
    }

    private RawSocket connect(int addressLength) throws IOException {
        int result = Sockets.connect(fd, MEMORY, addressLength);
        if (result < 0) {
            close();
            check(result, "connect");
        }
        return this;
    }

    int descriptor() {
        return fd;
    }

    /// Closing resets the connection then, and leaves nothing behind in the kernel.
    RawSocket resetAtClose() {
        Sockets.setLinger(fd, 0);
        return this;
    }

    void send(int length) throws IOException {
        for (int left = length; left > 0; ) {
            left -= check(Sockets.send(fd, BUFFER, left, Sockets.MSG_NOSIGNAL), "send");
        }
    }

    /// Sends up to `length` bytes, as many as the kernel takes at once.
    int offer(int length) throws IOException {
        int flags = Sockets.MSG_NOSIGNAL | Sockets.MSG_DONTWAIT;
        int result = Sockets.send(fd, BUFFER, Math.min(length, DATA), flags);
        return result == -Errno.EAGAIN ? 0 : check(result, "send");
    }

    /// Throws up to `length` bytes away, uncopied; 0 when none is there, -1 at the end.
    int drop(int length) throws IOException {
        return received(Sockets.recv(fd, BUFFER, length, Sockets.MSG_DONTWAIT | Sockets.MSG_TRUNC));
    }

    /// Up to `length` bytes; 0 when none is there, -1 at the end.
    int receive(int length) throws IOException {
        return received(Sockets.recv(fd, BUFFER, length, Sockets.MSG_DONTWAIT));
    }

    /// Waits for up to `length` bytes; -1 at the end.
    int await(int length) throws IOException {
        return received(Sockets.recv(fd, BUFFER, length, 0));
    }

    /// Spins until `length` bytes have come.
    void spinFor(int length) throws IOException {
        int missing = length;
        for (int tries = 1; missing > 0; tries++) {
            int received = receive(missing);
            if (received < 0) {
                throw new IOException("the server closed a connection");
            }
            missing -= received;
            if (received == 0) {
                spin(tries);
            }
        }
    }

    /// Spins until the other side has closed, whatever it sends before.
    void spinForEnd() throws IOException {
        for (int tries = 1; drop(DATA) >= 0; tries++) {
            spin(tries);
        }
    }

    private static void spin(int tries) throws IOException {
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
        }
        if (tries > PATIENCE) {
            throw new IOException("the server does not answer");
        }
    }

    private static int received(int result) throws IOException {
        if (result == -Errno.EAGAIN) {
            return 0;
        }
        return result == 0 ? -1 : check(result, "recv");
    }

    /// Sets the bytes that are sent from now on, until some are received other than by [#drop].
    ///
    /// @return how many
    static int prepare(String ascii) {
        byte[] bytes = ascii.getBytes(US_ASCII);
        Memory.copy(bytes, 0, BUFFER, bytes.length);
        return bytes.length;
    }

    /// Sends a request by HTTP/1.1.
    void sendRequest() throws IOException {
        send(prepare("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }

    /// Waits for all of a response that ends with an exclamation mark.
    void awaitResponse() throws IOException {
        for (int received = 1; received > 0; ) {
            received = await(DATA);
            if (received > 0 && Memory.getByte(BUFFER + received - 1) == '!') {
                return;
            }
        }
        throw new IOException("the server closed a connection without a response");
    }

    /// Closes the sending direction.
    void finish() {
        Sockets.shutdown(fd, Sockets.SHUT_WR);
    }

    static int check(int result, String call) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + Errno.name(-result));
        }
        return result;
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
