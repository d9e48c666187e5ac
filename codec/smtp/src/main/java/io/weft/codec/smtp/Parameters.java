package io.weft.codec.smtp;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Values that parameters may have.
final class Parameters {
    private static final Set<String> EVENTS = Set.of("SUCCESS", "FAILURE", "DELAY");

    /// RFC 6533, section 3: a backslash stands before a character's number alone, and that is none
    /// of a control.
    private static final Pattern UTF_8_ADDRESS =
            Pattern.compile("(?:[^\\\\+= ]|\\\\x\\{(?:[2-7][0-9A-F]|[1-9A-F][0-9A-F]{2,5})\\})++");

    private Parameters() {}

    /// RFC 6152, section 2, and RFC 3030, section 3.
    static boolean isBody(String value) {
        return Set.of("7BIT", "8BITMIME", "BINARYMIME").contains(Chars.upper(value));
    }

    /// RFC 3461, 4.3 and 4.4; RFC 4954, section 5.
    static boolean isDsnOfMail(MailParameters parameters) {
        String ret = parameters.get("RET");
        String id = parameters.get("ENVID");
        String auth = parameters.get("AUTH");
        return (ret == null || Chars.same(ret, "FULL") || Chars.same(ret, "HDRS"))
                && (id == null || (id.length() <= 100 && isXtext(id)))
                && (auth == null || auth.equals("<>") || isXtext(auth));
    }

    /// RFC 3461, 4.1 and 4.2.
    static boolean isDsnOfRcpt(MailParameters parameters) {
        String notify = parameters.get("NOTIFY");
        String original = parameters.get("ORCPT");
        return (notify == null || isNotify(notify)) && (original == null || isTyped(original));
    }

    private static boolean isNotify(String value) {
        String upper = Chars.upper(value);
        List<String> events = List.of(upper.split(",", -1));
        return upper.equals("NEVER")
                || (EVENTS.containsAll(events) && Set.copyOf(events).size() == events.size());
    }

    /// An address type and its address.
    private static boolean isTyped(String value) {
        int semicolon = value.indexOf(';');
        String address = value.substring(semicolon + 1);
        return semicolon > 0
                && value.length() <= 500
                && value.chars().limit(semicolon).allMatch(c -> c < 0x80 && Chars.isAtom(c))
                && (Chars.same(value.substring(0, semicolon), "utf-8")
                        ? UTF_8_ADDRESS.matcher(address).matches()
                        : isXtext(address));
    }

    private static boolean isXtext(@Nullable String value) {
        try {
            return value != null && !Xtext.decode(value).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
