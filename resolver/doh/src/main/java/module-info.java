import org.jspecify.annotations.NullMarked;

/// Floor 4: DNS over HTTPS, on the HTTP client.
///
/// ```java
/// DnsServer server = DohTransport.post(client, "https://192.0.2.1/dns-query").server();
/// DnsResolver resolver = DnsResolver.builder(group).servers(server).build();
/// ```
@NullMarked
module io.weft.resolver.doh {
    requires static transitive org.jspecify;
    requires io.weft.codec;
    requires transitive io.weft.http.client;
    requires transitive io.weft.resolver.dns;

    exports io.weft.resolver.doh;
}
