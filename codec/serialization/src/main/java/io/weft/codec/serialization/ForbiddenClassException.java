package io.weft.codec.serialization;

import io.weft.codec.DecoderException;

/// The peer named a class that is not on the allow-list. It was not looked up.
public final class ForbiddenClassException extends DecoderException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 100;

    ForbiddenClassException(String name) {
        super("class: " + printable(name) + " (expected: one of the allow-list)");
    }

    /// The peer chose the name: it must not forge a line of a log.
    private static String printable(String name) {
        String shown = name.replaceAll("[^\\w.$;\\[]", "?");
        return shown.length() <= SHOWN ? shown : shown.substring(0, SHOWN) + "...";
    }
}
