package io.weft.resolver.names;

/// Provides the resolver that is used unless another is set: [NameResolver#standard]. Found by
/// `ServiceLoader`; the one with the highest priority counts.
public interface NameResolverProvider {
    /// Returns the priority; that of `resolver/names` is 0.
    int priority();

    /// Makes the resolver. Called once, by the first thread that needs it.
    NameResolver create();
}
