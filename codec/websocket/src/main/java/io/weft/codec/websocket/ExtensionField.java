package io.weft.codec.websocket;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The extensions of a `Sec-WebSocket-Extensions` field (RFC 6455, 9.1).
///
/// ```
/// 1#( token *( ";" token [ "=" ( token / quoted-string ) ] ) )
/// ```
final class ExtensionField {
    /// One extension, with its parameters in order.
    record Extension(String name, List<Parameter> parameters) {}

    /// @param value null where there is none
    record Parameter(String name, @Nullable String value) {}

    private final String text;
    private int at;

    private ExtensionField(String text) {
        this.text = text;
    }

    /// @param values of all fields of that name, in order
    /// @throws IllegalArgumentException when one is malformed
    static List<Extension> parse(List<String> values) {
        List<Extension> all = new ArrayList<>();
        for (String value : values) {
            new ExtensionField(value).elements(all);
        }
        return all;
    }

    private void elements(List<Extension> to) {
        do {
            blanks();
            // RFC 9110, 5.6.1: recipients ignore empty elements of a list.
            if (at < text.length() && text.charAt(at) != ',') {
                to.add(extension());
            }
        } while (takes(','));
        if (at < text.length()) {
            throw malformed();
        }
    }

    private Extension extension() {
        String name = token();
        List<Parameter> parameters = new ArrayList<>();
        while (takes(';')) {
            blanks();
            String parameter = token();
            parameters.add(new Parameter(parameter, takes('=') ? value() : null));
        }
        return new Extension(name, parameters);
    }

    private String value() {
        blanks();
        if (at == text.length() || text.charAt(at) != '"') {
            return token();
        }
        at++;
        StringBuilder unquoted = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            // RFC 6455, 9.1: a quoted value is a token, too, once it is unquoted.
            unquoted.append(tokenChar());
        }
        if (unquoted.isEmpty() || !takes('"')) {
            throw malformed();
        }
        return unquoted.toString();
    }

    private String token() {
        int start = at;
        while (at < text.length() && isTokenChar(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw malformed();
        }
        return text.substring(start, at);
    }

    private char tokenChar() {
        if (at == text.length() || !isTokenChar(text.charAt(at))) {
            throw malformed();
        }
        return text.charAt(at++);
    }

    private static boolean isTokenChar(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    /// Takes `c`, with blanks before it.
    private boolean takes(char c) {
        blanks();
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void blanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "sec-websocket-extensions: malformed at " + at + " (expected: RFC 6455, 9.1)");
    }
}
