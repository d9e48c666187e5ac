package io.weft.resolver.dns;

import io.weft.codec.dns.Octets;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A server, and what is known of it. Loop only.
final class ServerState {
    private static final long FORGET = Duration.ofMinutes(10).toNanos();
    private static final long PENALTY = Duration.ofSeconds(1).toNanos();
    private static final long PARDON = Duration.ofSeconds(30).toNanos();
    private static final long BUCKET = Duration.ofMillis(100).toNanos();

    final DnsServer server;
    final Octets clientCookie;
    @Nullable Octets serverCookie;

    /// The server returns names in another case than they were sent, as it did over TCP too.
    boolean foldsCase;

    /// Open or opening; null for none.
    @Nullable StreamConnection connection;

    private @Nullable UdpPorts ports;

    // Nanoseconds, as in RFC 6298; -1: nothing measured.
    private long latency = -1;
    private long variance;

    private int failures;
    private long failedAt;

    private boolean noEdns;
    private long noEdnsSince;
    private boolean noTls;
    private long noTlsSince;
    private boolean retired;

    ServerState(DnsServer server, Octets clientCookie) {
        this.server = server;
        this.clientCookie = clientCookie;
    }

    /// @param address of the server, always the same
    UdpPorts ports(Exchanges exchanges, InetSocketAddress address) {
        UdpPorts known = ports;
        if (known == null) {
            known = new UdpPorts(exchanges, address);
            ports = known;
        }
        return known;
    }

    /// No epoch from now on has this server: questions that are left may ask it, but nothing stays
    /// open for others.
    void retire() {
        retired = true;
        if (connection != null) {
            connection.retire();
        }
        closePorts();
    }

    boolean isRetired() {
        return retired;
    }

    void closePorts() {
        if (ports != null) {
            ports.close();
        }
    }

    void measured(long nanos) {
        failures = 0;
        if (latency < 0) {
            latency = nanos;
            variance = nanos / 2;
        } else {
            variance += (Math.abs(nanos - latency) - variance) / 4;
            latency += (nanos - latency) / 8;
        }
    }

    void failed(long now) {
        failures = Math.min(failures + 1, 8);
        failedAt = now;
    }

    /// The time in which most responses come; -1 while nothing is known.
    long patience() {
        return latency < 0 ? -1 : latency + 4 * variance;
    }

    long latency() {
        return latency;
    }

    /// Failures behind the last response; none when the last of them was long ago.
    int failures(long now) {
        return now - failedAt < PARDON ? failures : 0;
    }

    /// The rank among servers, the least first. Those within a tenth of a second are equally good;
    /// failures are forgiven after a time, so that a server that is back is found.
    long rank(long now) {
        return (Math.max(latency, 0) + failures(now) * PENALTY) / BUCKET;
    }

    boolean takesEdns(long now) {
        return !noEdns || now - noEdnsSince > FORGET;
    }

    void noEdns(long now) {
        noEdns = true;
        noEdnsSince = now;
    }

    boolean takesTls(long now) {
        return !noTls || now - noTlsSince > FORGET;
    }

    void noTls(long now) {
        noTls = true;
        noTlsSince = now;
    }
}
