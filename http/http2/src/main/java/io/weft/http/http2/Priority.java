package io.weft.http.http2;

import org.jspecify.annotations.Nullable;

/// The priority of a response (RFC 9218, 4).
///
/// @param urgency 0 to 7; lower ones go first
/// @param incremental whether its content is of use piece by piece, so that it may be sent in turn
///     with others
public record Priority(int urgency, boolean incremental) {
    /// Of a stream without a priority. RFC 9218 would send such streams one after the other; here
    /// they take turns, since most clients say nothing and mean nothing by that.
    public static final Priority DEFAULT = new Priority(3, true);

    /// Parses the value of a field Priority. Members that are unknown or malformed are ignored.
    ///
    /// @param field null if there is none
    public static Priority of(@Nullable String field) {
        if (field == null) {
            return DEFAULT;
        }
        int urgency = 3;
        boolean incremental = false;
        for (String member : field.split(",", 16)) {
            String m = member.strip();
            int parameters = m.indexOf(';');
            if (parameters >= 0) {
                m = m.substring(0, parameters).strip();
            }
            if (m.length() == 3 && m.startsWith("u=") && m.charAt(2) >= '0' && m.charAt(2) <= '7') {
                urgency = m.charAt(2) - '0';
            } else if (m.equals("i") || m.equals("i=?1")) {
                incremental = true;
            } else if (m.equals("i=?0")) {
                incremental = false;
            }
        }
        return new Priority(urgency, incremental);
    }
}
