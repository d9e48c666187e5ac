package io.weft.codec.smtp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reply of a server (RFC 5321, 4.2), of one line or more.
///
/// The second digit of a code is at most 5 by the grammar. Servers in use send others, such as 571
/// for 5.7.1, and a client acts on the first digit of a code that it does not know (RFC 5321,
/// 4.3.2): so these are read too, but a server of ours makes its replies by [#of].
///
/// @param code 200 to 599
/// @param status the enhanced status code, which each line carries (RFC 2034); null for none
/// @param lines text without controls, at least one, which may be empty
public record SmtpReply(int code, @Nullable EnhancedStatus status, List<String> lines) {
    /// @throws IllegalArgumentException when a part is out of its range, or holds a control
    public SmtpReply {
        if (!isCode(code)) {
            throw new IllegalArgumentException(
                    "code: " + code + " (expected: 200 to 599, RFC 5321 4.2)");
        }
        if (status != null && status.kind() != code / 100) {
            // RFC 2034, section 4.
            throw new IllegalArgumentException(
                    "status: " + status + " (expected: of the class of " + code + ")");
        }
        lines = lines instanceof ReplyLines ? lines : checked(List.copyOf(lines));
    }

    private static List<String> checked(List<String> lines) {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("lines: none (expected: at least one)");
        }
        for (int i = 0; i < lines.size(); i++) {
            Chars.requireText("reply", lines.get(i));
        }
        return lines;
    }

    static boolean isCode(int code) {
        return code >= 200 && code < 600;
    }

    private static int requireGrammar(int code) {
        if (!isCode(code) || code / 10 % 10 > 5) {
            throw new IllegalArgumentException(
                    "code: "
                            + code
                            + " (expected: 200 to 559, with a second digit up to 5, RFC 5321 4.2)");
        }
        return code;
    }

    /// A reply without an enhanced status.
    ///
    /// @param code 200 to 559, with a second digit up to 5
    public static SmtpReply of(int code, String... lines) {
        return new SmtpReply(requireGrammar(code), null, List.of(lines));
    }

    /// A reply of one line with an enhanced status, such as `of(550, "5.1.1", "no such user")`.
    ///
    /// @param code 200 to 559, with a second digit up to 5
    public static SmtpReply of(int code, String status, String line) {
        return new SmtpReply(requireGrammar(code), EnhancedStatus.of(status), List.of(line));
    }

    /// Tells if the command succeeded (2yz).
    public boolean isPositive() {
        return code < 300;
    }

    /// Tells if the server waits for more (3yz).
    public boolean isIntermediate() {
        return code / 100 == 3;
    }

    /// Tells if trying again later may succeed (4yz).
    public boolean isTransient() {
        return code / 100 == 4;
    }

    /// Tells if the command failed for good (5yz).
    public boolean isPermanent() {
        return code / 100 == 5;
    }

    /// The lines, with spaces between them.
    public String text() {
        return String.join(" ", lines);
    }

    @Override
    public String toString() {
        return code + (status == null ? " " : " " + status + " ") + text();
    }
}
