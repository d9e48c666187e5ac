package io.weft.http.forms;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// The value of a field such as Content-Type: a word, and parameters behind it. No parameter comes
/// twice: of two, each reader would believe another.
///
/// @param word in lower case
/// @param parameters by name, in lower case
record HeaderParameters(String word, Map<String, String> parameters) {
    /// @param field the name of the field, for messages
    /// @throws FormException unless each parameter is `name=token` or `name="text"`
    static HeaderParameters parse(String field, String value) {
        return new Parser(field, value).parse();
    }

    private static final class Parser {
        private final String field;
        private final String text;
        private final Map<String, String> parameters = new LinkedHashMap<>();
        private int at;

        Parser(String field, String text) {
            this.field = field;
            this.text = text;
        }

        HeaderParameters parse() {
            int end = text.indexOf(';');
            String word = (end < 0 ? text : text.substring(0, end)).strip();
            at = end < 0 ? text.length() : end;
            while (at < text.length()) {
                at++; // ";"
                skipBlanks();
                if (at < text.length()) { // else nothing stands behind the last ";"
                    parameter();
                }
            }
            return new HeaderParameters(word.toLowerCase(Locale.ROOT), parameters);
        }

        private void parameter() {
            String name = token("the name of a parameter").toLowerCase(Locale.ROOT);
            if (at == text.length() || text.charAt(at) != '=') {
                throw malformed("\"=\" behind " + FileNames.quote(name));
            }
            at++;
            boolean quoted = at < text.length() && text.charAt(at) == '"';
            String value = quoted ? quoted() : token("a value of " + FileNames.quote(name));
            if (parameters.putIfAbsent(name, value) != null) {
                throw malformed(FileNames.quote(name) + " once");
            }
            skipBlanks();
            if (at < text.length() && text.charAt(at) != ';') {
                throw malformed("\";\" behind " + FileNames.quote(name));
            }
        }

        private String token(String what) {
            int from = at;
            while (at < text.length() && isToken(text.charAt(at))) {
                at++;
            }
            if (at == from) {
                throw malformed(what);
            }
            return text.substring(from, at);
        }

        /// A quoted string. A backslash quotes a quote or a backslash; before anything else it
        /// stands for itself, since some clients send whole paths of Windows.
        private String quoted() {
            StringBuilder value = new StringBuilder();
            at++;
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') {
                    return value.toString();
                }
                boolean escapes = c == '\\' && at < text.length();
                if (escapes && (text.charAt(at) == '"' || text.charAt(at) == '\\')) {
                    c = text.charAt(at++);
                }
                value.append(c);
            }
            throw malformed("a quote at the end of a value");
        }

        private void skipBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }

        /// RFC 9110, 5.6.2.
        private static boolean isToken(char c) {
            return (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
        }

        private FormException malformed(String expected) {
            return new FormException(
                    field
                            + ": "
                            + FileNames.quote(text)
                            + " (expected: "
                            + expected
                            + " at "
                            + at
                            + ")");
        }
    }
}
