package io.weft.bench.mainjob;

import java.util.List;

/// One server of the comparison.
///
/// @param command starts it; it says `listening on HOST:PORT …` on its standard output
public record Side(String name, Role role, List<String> command) {
    public enum Role {
        WEFT,
        /// Netty.
        PEER,
        /// A server of another framework for the JVM.
        RIVAL,
        /// A server without a JVM.
        NATIVE,
        /// The least a program has to do on the same kernel interface.
        LIMIT
    }

    /// The same side without an argument of its command.
    public Side without(String argument) {
        return new Side(
                name, role, command.stream().filter(part -> !part.equals(argument)).toList());
    }

    boolean isJvm() {
        return role != Role.LIMIT && role != Role.NATIVE;
    }
}
