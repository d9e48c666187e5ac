package io.weft.channel.connect;

import io.weft.loop.IpAddresses;
import io.weft.resolver.names.ResolvedAddress;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The attempts of one connect by name, for the error that ends it.
public final class AttemptLog {
    /// Failures that are told beside the first.
    static final int MAX_SUPPRESSED = 16;

    private final String target;
    private final List<Attempt> attempts = new ArrayList<>();
    private int count;

    /// @param target host and port, for messages
    public AttemptLog(String target) {
        this.target = target;
    }

    /// An address that was tried. Its failure is null until it has failed.
    public static final class Attempt {
        private final ResolvedAddress address;
        private @Nullable Throwable failure;

        private Attempt(ResolvedAddress address) {
            this.address = address;
        }

        /// It failed with `cause`.
        public void failed(Throwable cause) {
            failure = cause;
        }

        /// `[2001:db8::1]:80: Connection refused`.
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            InetAddress ip = address.address();
            text.append(address.isIpv6() ? "[" : "");
            IpAddresses.append(text, ip.getAddress());
            appendZone(text, ip);
            text.append(address.isIpv6() ? "]:" : ":").append(address.port()).append(": ");
            if (failure == null) {
                return text.append("no answer").toString();
            }
            String message = failure.getMessage();
            return text.append(message == null ? failure.getClass().getSimpleName() : message)
                    .toString();
        }
    }

    /// The same address of two links is two addresses (RFC 4007, 11).
    private static void appendZone(StringBuilder text, InetAddress ip) {
        if (ip instanceof Inet6Address ipv6) {
            NetworkInterface link = ipv6.getScopedInterface();
            if (link != null) {
                text.append('%').append(link.getName());
            } else if (ipv6.getScopeId() != 0) {
                text.append('%').append(ipv6.getScopeId());
            }
        }
    }

    /// Notes that `address` is being tried.
    public Attempt began(ResolvedAddress address) {
        Attempt attempt = new Attempt(address);
        if (++count <= MAX_SUPPRESSED + 1) {
            attempts.add(attempt);
        }
        return attempt;
    }

    /// Tells if no address has been tried.
    public boolean isEmpty() {
        return count == 0;
    }

    /// Returns the failure of the only attempt, or one that names all of them, with their failures.
    ///
    /// @param search the failure of the search; null where it did not fail
    public Throwable allFailed(@Nullable Throwable search) {
        Throwable first = attempts.getFirst().failure;
        if (count == 1 && first != null) {
            if (search != null && search != first) {
                first.addSuppressed(search);
            }
            return first;
        }
        return with(new ConnectException("connect to " + target + ": " + tried()), search);
    }

    /// Returns the failure of a connect that took longer than `patience`.
    public SocketTimeoutException late(Duration patience) {
        String message = "connect to " + target + " timed out after " + patience;
        return with(
                new SocketTimeoutException(isEmpty() ? message : message + ", " + tried()), null);
    }

    private String tried() {
        StringJoiner all = new StringJoiner("; ");
        attempts.forEach(attempt -> all.add(attempt.toString()));
        if (count > attempts.size()) {
            all.add("and " + (count - attempts.size()) + " more");
        }
        return count + (count == 1 ? " address" : " addresses") + " tried: " + all;
    }

    private <E extends Exception> E with(E failure, @Nullable Throwable search) {
        for (Attempt attempt : attempts) {
            Throwable cause = attempt.failure;
            if (cause == null || cause == failure.getCause()) {
                continue;
            }
            if (failure.getCause() == null) {
                failure.initCause(cause);
            } else {
                failure.addSuppressed(cause);
            }
        }
        if (search != null) {
            failure.addSuppressed(search);
        }
        return failure;
    }
}
