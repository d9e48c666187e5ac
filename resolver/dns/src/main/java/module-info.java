import org.jspecify.annotations.NullMarked;

/// Floor 4: a client of DNS that finds addresses, services and records of any type, over UDP, TCP
/// and TLS.
///
/// ```java
/// try (DnsResolver resolver = DnsResolver.builder(group).build()) { // with resolv.conf's servers
///     DnsAnswer answer = resolver.resolveAll("example.com", RecordType.MX).join();
///     answer.records().forEach(System.out::println);
///     var channel = new Bootstrap(group).resolver(resolver).handler(…).connect("example.com", 80);
/// }
/// ```
@NullMarked
module io.weft.resolver.dns {
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires io.weft.codec;
    requires transitive io.weft.codec.dns;
    requires io.weft.handler.codec;
    requires io.weft.handler.tls;
    requires transitive io.weft.tls.machine;

    exports io.weft.resolver.dns;
}
