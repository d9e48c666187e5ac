import org.jspecify.annotations.NullMarked;

/// Short programs to learn from; `./run-example.sh` runs them.
@NullMarked
module io.weft.examples {
    requires static org.jspecify;
    requires io.weft.channel;
    requires io.weft.client.memcache;
    requires io.weft.client.redis;
    requires io.weft.codec;
    requires io.weft.codec.dns;
    requires io.weft.codec.framing;
    requires io.weft.codec.haproxy;
    requires io.weft.codec.memcache;
    requires io.weft.codec.protobuf;
    requires io.weft.codec.redis;
    requires io.weft.codec.mqtt;
    requires io.weft.codec.serialization;
    requires io.weft.codec.smtp;
    requires io.weft.codec.socks;
    requires io.weft.codec.stomp;
    requires io.weft.codec.text;
    requires io.weft.codec.xml;
    requires io.weft.blocking;
    requires io.weft.handler.codec;
    requires io.weft.handler.filter;
    requires io.weft.handler.flow;
    requires io.weft.handler.haproxy;
    requires io.weft.handler.proxy;
    requires io.weft.handler.redis;
    requires io.weft.handler.timeout;
    requires io.weft.handler.tls;
    requires io.weft.http.client;
    requires io.weft.http.events;
    requires io.weft.http.forms;
    requires io.weft.http.grpc;
    requires io.weft.http.server;
    requires io.weft.http.websocket;
    requires io.weft.resolver.dns;
    requires io.weft.resolver.doh;

    // Whatever engine works is found at run time.
    requires io.weft.transport.epoll;
    requires io.weft.transport.kqueue;
    requires io.weft.transport.nio;
    requires io.weft.transport.sctp;
    requires io.weft.transport.serial;
    requires io.weft.transport.udt;
    requires io.weft.transport.uring;
}
