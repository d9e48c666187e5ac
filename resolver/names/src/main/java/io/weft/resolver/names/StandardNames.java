package io.weft.resolver.names;

/// The resolver that clients use by default: literals and special names answer by themselves, then
/// the hosts file, then a cache in front of the system's resolver. A program of the system that
/// knows names from elsewhere (LDAP, mDNS) is asked as well.
public final class StandardNames implements NameResolverProvider {
    /// For `ServiceLoader`.
    public StandardNames() {}

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public NameResolver create() {
        return of(NameResolver.system(), NameCacheLimits.DEFAULT);
    }

    /// Makes the same around another resolver than the system's, such as one of DNS.
    public static NameResolver of(NameResolver upstream, NameCacheLimits limits) {
        return of(upstream, limits, new HostsResolver());
    }

    /// Makes the same with another hosts file.
    public static NameResolver of(
            NameResolver upstream, NameCacheLimits limits, HostsResolver hosts) {
        NameResolver cached = new CachingResolver(upstream, new NameCache(limits));
        return new LiteralResolver(new SpecialNamesResolver(hosts.before(cached)));
    }
}
