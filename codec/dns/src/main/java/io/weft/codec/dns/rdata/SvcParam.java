package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A parameter of [Svcb] or [Https] (RFC 9460, 7; RFC 9461, 9540).
public sealed interface SvcParam {
    /// The number of the key.
    int key();

    /// Parameters in the order of their keys, each there once, with those that they need.
    static List<SvcParam> ordered(List<SvcParam> parameters) {
        List<SvcParam> ordered = new ArrayList<>(parameters);
        ordered.sort(Comparator.comparingInt(SvcParam::key));
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).key() == ordered.get(i - 1).key()) {
                throw new IllegalArgumentException(
                        "parameter " + ordered.get(i).key() + ": twice (expected: once)");
            }
        }
        for (SvcParam parameter : ordered) {
            if (parameter instanceof Mandatory mandatory) {
                mandatory.keys().forEach(key -> require(ordered, key));
            } else if (parameter instanceof NoDefaultAlpn) {
                require(ordered, Alpn.KEY);
            }
        }
        return List.copyOf(ordered);
    }

    /// A record of 64 KiB may need ten thousand keys of its own, so each is looked up fast.
    ///
    /// @param parameters in the order of their keys
    private static void require(List<SvcParam> parameters, int key) {
        int low = 0;
        int high = parameters.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (parameters.get(middle).key() < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == parameters.size() || parameters.get(low).key() != key) {
            throw new IllegalArgumentException(
                    "parameter " + key + ": missing (expected: there, as another needs it)");
        }
    }

    private static void notEmpty(String what, List<?> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException(what + ": none (expected: at least one)");
        }
    }

    /// Keys that a client must know to use the record.
    ///
    /// @param keys in ascending order, without 0
    record Mandatory(List<Integer> keys) implements SvcParam {
        static final int KEY = 0;

        /// @throws IllegalArgumentException when a key is out of its range or there twice, or when
        ///     there is none
        public Mandatory {
            keys = keys.stream().sorted().toList();
            notEmpty("mandatory", keys);
            int last = 0;
            for (int key : keys) {
                Checks.range("mandatory key", key, 0xFFFF);
                if (key <= last) {
                    throw new IllegalArgumentException(
                            "mandatory key: " + key + " (expected: above " + last + ")");
                }
                last = key;
            }
        }

        @Override
        public int key() {
            return KEY;
        }
    }

    /// Names of protocols that the service speaks beside the default.
    record Alpn(List<Octets> protocols) implements SvcParam {
        static final int KEY = 1;

        /// @throws IllegalArgumentException when there is none, or one has no octets or more than
        ///     255
        public Alpn {
            protocols = List.copyOf(protocols);
            notEmpty("alpn", protocols);
            for (Octets protocol : protocols) {
                Checks.string("protocol", protocol);
                Checks.notEmpty("protocol", protocol);
            }
        }

        @Override
        public int key() {
            return KEY;
        }
    }

    /// The service does not speak the default protocol.
    record NoDefaultAlpn() implements SvcParam {
        @Override
        public int key() {
            return 2;
        }
    }

    /// The port of the service.
    record Port(int port) implements SvcParam {
        /// @throws IllegalArgumentException unless 0 to 65535
        public Port {
            Checks.u16("port", port);
        }

        @Override
        public int key() {
            return 3;
        }
    }

    /// Addresses of the target.
    record Ipv4Hint(List<A> addresses) implements SvcParam {
        /// @throws IllegalArgumentException when there is none
        public Ipv4Hint {
            addresses = List.copyOf(addresses);
            notEmpty("ipv4hint", addresses);
        }

        @Override
        public int key() {
            return 4;
        }
    }

    /// A list of configurations for the encrypted ClientHello.
    record Ech(Octets configurations) implements SvcParam {
        /// @throws IllegalArgumentException when there is none
        public Ech {
            Checks.notEmpty("ech", configurations);
        }

        @Override
        public int key() {
            return 5;
        }
    }

    /// Addresses of the target.
    record Ipv6Hint(List<Aaaa> addresses) implements SvcParam {
        /// @throws IllegalArgumentException when there is none
        public Ipv6Hint {
            addresses = List.copyOf(addresses);
            notEmpty("ipv6hint", addresses);
        }

        @Override
        public int key() {
            return 6;
        }
    }

    /// A template for the path of DNS over HTTPS.
    record DohPath(Octets template) implements SvcParam {
        @Override
        public int key() {
            return 7;
        }
    }

    /// The service takes oblivious HTTP.
    record Ohttp() implements SvcParam {
        @Override
        public int key() {
            return 8;
        }
    }

    /// A parameter without a type of its own here.
    ///
    /// @param key from 9 on
    record Other(int key, Octets value) implements SvcParam {
        /// @throws IllegalArgumentException unless 9 to 65535
        public Other {
            if (key < 9 || key > 0xFFFF) {
                throw new IllegalArgumentException("key: " + key + " (expected: 9 to 65535)");
            }
        }
    }
}
