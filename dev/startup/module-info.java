/// A server for dev/startup.sh: what a small program has on its path.
module hello {
    requires io.weft.http.server;
    requires io.weft.transport.epoll;
    requires io.weft.transport.nio;
    requires io.weft.transport.uring;
}
