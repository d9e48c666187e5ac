package io.weft.tls.machine;

import io.weft.tls.x509.HostNames;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values by the names of hosts: exact ones first, then `*.example.com`, which is one label below
/// that domain, as in certificates. Immutable.
///
/// A name that is not in it has no value: there is no default for it. What clients get that send no
/// name is another matter, and said by itself.
public final class DomainMapping<V> {
    private final Map<String, V> names;
    private final @Nullable V withoutName;

    private DomainMapping(Map<String, V> names, @Nullable V withoutName) {
        this.names = Map.copyOf(names);
        this.withoutName = withoutName;
    }

    public static <V> Builder<V> builder() {
        return new Builder<>();
    }

    /// @param name of a host, or null for none
    /// @return null when there is nothing for it
    public @Nullable V get(@Nullable String name) {
        if (name == null) {
            return withoutName;
        }
        String host = HostNames.asciiName(name);
        if (host == null) {
            return null;
        }
        V exact = names.get(host);
        if (exact != null) {
            return exact;
        }
        int dot = host.indexOf('.');
        return dot < 0 ? null : names.get("*" + host.substring(dot));
    }

    /// Collects names.
    public static final class Builder<V> {
        private final Map<String, V> names = new HashMap<>();
        private @Nullable V withoutName;

        private Builder() {}

        /// @param name of a host, or `*.` and that of a domain
        /// @throws IllegalArgumentException when it is neither, or was added before
        public Builder<V> add(String name, V value) {
            boolean wildcard = name.startsWith("*.");
            String host = HostNames.asciiName(wildcard ? name.substring(2) : name);
            if (host == null) {
                throw new IllegalArgumentException(
                        "name: " + name + " (expected: of a host, or *. and a domain)");
            }
            if (names.putIfAbsent(wildcard ? "*." + host : host, value) != null) {
                throw new IllegalArgumentException("name: " + name + " twice (expected: once)");
            }
            return this;
        }

        /// For clients that ask for no host.
        public Builder<V> withoutName(V value) {
            withoutName = value;
            return this;
        }

        public DomainMapping<V> build() {
            return new DomainMapping<>(names, withoutName);
        }
    }
}
