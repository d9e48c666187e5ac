package io.weft.codec.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// An option of [Edns].
public sealed interface EdnsOption {
    /// The number of the option.
    int code();

    /// Octets of its data.
    int length();

    private static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    /// An identifier of the server (RFC 5001); queries have an empty one.
    record Nsid(Octets id) implements EdnsOption {
        /// @throws IllegalArgumentException when it is too long
        public Nsid {
            range("id octets", id.length(), 0, 65_531);
        }

        @Override
        public int code() {
            return 3;
        }

        @Override
        public int length() {
            return id.length();
        }
    }

    /// The network of the client that an answer is for (RFC 7871).
    ///
    /// @param family 1: IPv4; 2: IPv6; 0: no address
    /// @param source bits of the address that are given
    /// @param scope bits that the answer is for; 0 in queries
    /// @param address its first `source` bits and no more, filled up to whole octets with zeros
    record ClientSubnet(int family, int source, int scope, Octets address) implements EdnsOption {
        /// @throws IllegalArgumentException unless the components fit together
        public ClientSubnet {
            range("family", family, 0, 2);
            int max = family * 32 + (family == 2 ? 64 : 0);
            range("source", source, 0, max);
            range("scope", scope, 0, max);
            range("address octets", address.length(), (source + 7) / 8, (source + 7) / 8);
            if (source % 8 != 0 && (address.get(source / 8) & 0xFF >> source % 8) != 0) {
                throw new IllegalArgumentException(
                        "address: bits behind " + source + " (expected: zeros)");
            }
        }

        /// The first `source` bits of an address.
        public static ClientSubnet of(InetAddress address, int source) {
            byte[] all = address.getAddress();
            range("source", source, 0, 8L * all.length);
            byte[] bits = Arrays.copyOf(all, (source + 7) / 8);
            if (source % 8 != 0) {
                bits[source / 8] &= (byte) (0xFF00 >> source % 8);
            }
            return new ClientSubnet(all.length == 4 ? 1 : 2, source, 0, Octets.of(bits));
        }

        /// The address, its other bits zeros.
        ///
        /// @throws IllegalStateException when the family is 0
        public InetAddress inetAddress() {
            if (family == 0) {
                throw new IllegalStateException("family: 0 (expected: 1 or 2)");
            }
            try {
                return InetAddress.getByAddress(
                        Arrays.copyOf(address.toArray(), family == 1 ? 4 : 16));
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int code() {
            return 8;
        }

        @Override
        public int length() {
            return 4 + address.length();
        }
    }

    /// Cookies of client and server (RFC 7873).
    ///
    /// @param client 8 octets
    /// @param server 8 to 32 octets, or none
    record Cookie(Octets client, Octets server) implements EdnsOption {
        /// @throws IllegalArgumentException when a cookie has another length
        public Cookie {
            range("client octets", client.length(), 8, 8);
            if (server.length() != 0) {
                range("server octets", server.length(), 8, 32);
            }
        }

        @Override
        public int code() {
            return 10;
        }

        @Override
        public int length() {
            return 8 + server.length();
        }
    }

    /// The time for which the sender keeps an idle connection (RFC 7828).
    ///
    /// @param timeout in tenths of a second; -1 in queries, which do not say
    record TcpKeepalive(int timeout) implements EdnsOption {
        /// @throws IllegalArgumentException unless -1 to 65535
        public TcpKeepalive {
            range("timeout", timeout, -1, 0xFFFF);
        }

        @Override
        public int code() {
            return 11;
        }

        @Override
        public int length() {
            return timeout < 0 ? 0 : 2;
        }
    }

    /// Octets without meaning that hide how long a message is (RFC 7830).
    ///
    /// @param length how many; they are sent as zeros, and ignored when they are received
    record Padding(int length) implements EdnsOption {
        /// @throws IllegalArgumentException unless 0 to 65531
        public Padding {
            range("length", length, 0, 65_531);
        }

        @Override
        public int code() {
            return 12;
        }
    }

    /// Why a response is as it is (RFC 8914).
    ///
    /// @param infoCode of the registry, as 22: no reachable authority
    /// @param extra text in UTF-8 for people; of peers, it may be malformed
    record ExtendedError(int infoCode, Octets extra) implements EdnsOption {
        /// @throws IllegalArgumentException when the code is out of its range, or the text is too
        ///     long
        public ExtendedError {
            range("infoCode", infoCode, 0, 0xFFFF);
            range("extra octets", extra.length(), 0, 65_529);
        }

        @Override
        public int code() {
            return 15;
        }

        @Override
        public int length() {
            return 2 + extra.length();
        }
    }

    /// An option without a type of its own here.
    record Other(int code, Octets data) implements EdnsOption {
        /// @throws IllegalArgumentException when the code is out of its range or has a type of its
        ///     own, or the data is too long
        public Other {
            range("code", code, 0, 0xFFFF);
            if (code == 3 || code == 8 || (code >= 10 && code <= 12) || code == 15) {
                throw new IllegalArgumentException(
                        "code: " + code + " (expected: one without data of its own)");
            }
            range("data octets", data.length(), 0, 65_531);
        }

        @Override
        public int length() {
            return data.length();
        }
    }
}
