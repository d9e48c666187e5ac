package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;

/// Values that a forger has to guess (RFC 5452): ids, ports, the case of letters, cookies. All come
/// from a secure source.
final class Secrets {
    /// Ports below are those of servers, often.
    private static final int FIRST_PORT = 16_384;

    private final SecureRandom random;
    private final byte[] pool = new byte[256];
    private int used = pool.length;
    private final BooleanSupplier bit = this::nextBit;

    /// Random bits that are left, and a 1 in front of them.
    private int bits = 1;

    Secrets(SecureRandom random) {
        this.random = random;
    }

    private int next() {
        if (used == pool.length) {
            random.nextBytes(pool); // a call costs more than its octets
            used = 0;
        }
        int octet = pool[used] & 0xFF;
        pool[used++] = 0;
        return octet;
    }

    SecureRandom random() {
        return random;
    }

    int id() {
        return next() << 8 | next();
    }

    /// A source port, one of 49,152.
    int port() {
        while (true) {
            int port = next() << 8 | next();
            if (port >= FIRST_PORT) {
                return port;
            }
        }
    }

    /// A number from 0 on, below `bound`, which is at most 65,536.
    int below(int bound) {
        if (bound == 1) {
            return 0;
        }
        int fair = 65_536 / bound * bound; // those above would favour the first numbers
        while (true) {
            int value = id();
            if (value < fair) {
                return value % bound;
            }
        }
    }

    Octets cookie() {
        byte[] octets = new byte[8];
        for (int i = 0; i < octets.length; i++) {
            octets[i] = (byte) next();
        }
        return Octets.of(octets);
    }

    /// The same name with letters in random case (draft-vixie-dnsext-dns0x20).
    DnsName mixed(DnsName name) {
        return name.withCase(bit);
    }

    private boolean nextBit() {
        if (bits == 1) {
            bits = 0x100 | next();
        }
        boolean set = (bits & 1) != 0;
        bits >>= 1;
        return set;
    }
}
