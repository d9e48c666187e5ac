import org.jspecify.annotations.NullMarked;

/// Floor 2: resolvers of names that need no network of their own: literals, special names, the
/// hosts file, a cache, searches that are shared, and orders.
///
/// On the module path or class path, it makes the resolver that clients use by default
/// ([io.weft.resolver.names.StandardNames]).
@NullMarked
module io.weft.resolver.names {
    requires static transitive org.jspecify;
    requires transitive io.weft.engine;
    requires io.weft.eventloop;
    requires transitive io.weft.loop;

    exports io.weft.resolver.names;

    uses io.weft.resolver.names.NameResolverProvider;

    provides io.weft.resolver.names.NameResolverProvider with
            io.weft.resolver.names.StandardNames;
}
