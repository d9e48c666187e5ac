package io.weft.codec.socks;

import java.util.List;

/// The begin of a negotiation: methods of authentication that the client can use.
///
/// @param methods 1 to 255 of them
public record Socks5Greeting(List<Socks5Method> methods) implements SocksClientMessage {
    /// @throws IllegalArgumentException when there are too few or too many
    public Socks5Greeting {
        methods = List.copyOf(methods);
        if (methods.isEmpty() || methods.size() > 255) {
            throw new IllegalArgumentException(
                    "methods: " + methods.size() + " (expected: 1 to 255)");
        }
    }

    public Socks5Greeting(Socks5Method... methods) {
        this(List.of(methods));
    }

    /// Returns the first of `acceptable` that the client offers; [Socks5Method#NO_ACCEPTABLE] if it
    /// offers none of them.
    public Socks5Method choose(Socks5Method... acceptable) {
        for (Socks5Method method : acceptable) {
            if (methods.contains(method)) {
                return method;
            }
        }
        return Socks5Method.NO_ACCEPTABLE;
    }
}
