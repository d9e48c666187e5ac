package io.weft.http.http1;

import static io.weft.http.http1.MessageOracle.require;

import io.weft.http.http1.MessageOracle.Field;
import io.weft.http.http1.MessageOracle.Refused;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A second opinion on responses, as [RequestOracle] is on requests. It knows which requests the
/// input answers, and that the input ends; it says the same as [ResponseTrace] of what it sees.
final class ResponseOracle {
    /// RFC 9112, 4: `HTTP-version SP status-code SP [ reason-phrase ] CRLF`.
    private static final Pattern STATUS_LINE =
            Pattern.compile(
                    "HTTP/([0-9])\\.([0-9]) ([0-9]{3})(?:( )" + MessageOracle.TEXT + ")?\r\n");

    private final MessageOracle message;
    private final Set<ResponseDivergence> divergences;
    private final Queue<String> methods;
    private int interim;
    private boolean over;

    private ResponseOracle(
            String methods,
            String input,
            Set<Divergence> shared,
            Set<ResponseDivergence> divergences) {
        message = new MessageOracle(input, shared);
        this.divergences = divergences;
        this.methods = new ArrayDeque<>(List.of(methods.split(" ", -1)));
    }

    /// The events of [ResponseTrace], but an error without its reason.
    ///
    /// @param methods of the requests, as of [ResponseTrace#of]
    static List<String> of(
            String methods,
            String input,
            Set<Divergence> shared,
            Set<ResponseDivergence> divergences) {
        ResponseOracle oracle = new ResponseOracle(methods, input, shared, divergences);
        try {
            while (!oracle.over && !oracle.message.isAtEnd()) {
                oracle.response();
            }
            require(oracle.interim == 0);
        } catch (Refused e) {
            oracle.message.events.add("error");
        }
        return oracle.message.events;
    }

    private boolean is(ResponseDivergence divergence) {
        return divergences.contains(divergence);
    }

    private void response() throws Refused {
        // RFC 9112, 9.2: data without an outstanding request is no response.
        require(!methods.isEmpty());
        Matcher line = message.next(STATUS_LINE);
        require(line.end() - line.start() - 2 <= 8192);
        require(line.group(4) != null || is(ResponseDivergence.NO_BLANK_BEHIND_CODE));
        require(line.group(1).equals("1"));
        int minor = Integer.parseInt(line.group(2));
        require(minor < 2 || !message.is(Divergence.OTHER_MINOR_VERSION));
        boolean old = minor == 0;
        int code = Integer.parseInt(line.group(3));
        // RFC 9110, 15: an invalid code is processed as 500 is.
        require((code >= 100 && code < 600) || !is(ResponseDivergence.OTHER_CLASS));
        List<Field> fields = message.section();
        String method = methods.element();
        boolean asked = method.endsWith("+");
        if (code / 100 == 1 && (code != 101 || !asked)) {
            require(code != 101 || !is(ResponseDivergence.UNASKED_SWITCH));
            interim(code, fields, old);
            return;
        }
        methods.remove();
        interim = 0;
        if (code == 101) {
            boolean named =
                    !old
                            && !MessageOracle.values(fields, "upgrade").isEmpty()
                            && MessageOracle.list(fields, "connection").stream()
                                    .anyMatch("upgrade"::equalsIgnoreCase);
            require(named || !is(ResponseDivergence.UNNAMED_SWITCH));
            checkUnframed(code, fields, old);
            tunnel(code, fields, old);
        } else if (method.equals("CONNECT") && code / 100 == 2) {
            tunnel(code, fields, old); // RFC 9112, 6.3, 2: whatever the fields say
        } else if (method.equals("HEAD") || code == 204 || code == 304) {
            checkUnframed(code, fields, old);
            head(code, fields, old, "NONE 0", MessageOracle.isKept(fields, old));
            message.events.add("end []");
        } else {
            content(code, fields, old);
        }
    }

    private void interim(int code, List<Field> fields, boolean old) throws Refused {
        checkUnframed(code, fields, old);
        require(++interim <= 32 || !is(ResponseDivergence.MANY_INTERIM));
        message.events.add("interim " + code + " " + fields);
    }

    /// RFC 9112, 6.3, 1: there is no content, whatever the fields say, which may not say any.
    private void checkUnframed(int code, List<Field> fields, boolean old) throws Refused {
        if (is(ResponseDivergence.FRAMING_OF_NOTHING)) {
            boolean coded = !MessageOracle.values(fields, "transfer-encoding").isEmpty();
            boolean claims = code < 200 || code == 204;
            require(!claims || !coded || !is(ResponseDivergence.CONTENT_WITHOUT_CONTENT));
            if (code >= 200) {
                List<String> codings = message.codings(fields, old);
                require(codings == null || MessageOracle.isChunked(codings));
            }
            BigInteger length = message.length(fields);
            boolean some = length != null && length.signum() > 0;
            require(!claims || !some || !is(ResponseDivergence.CONTENT_WITHOUT_CONTENT));
        }
    }

    private void tunnel(int code, List<Field> fields, boolean old) {
        head(code, fields, old, "TUNNEL 0", false);
        message.events.add("tunnel " + message.rest());
        over = true;
    }

    /// RFC 9112, 6.3, 4 to 8.
    private void content(int code, List<Field> fields, boolean old) throws Refused {
        List<String> codings = message.codings(fields, old);
        boolean kept = MessageOracle.isKept(fields, old);
        if (codings != null && MessageOracle.isChunked(codings)) {
            head(code, fields, old, "CHUNKED -1", kept);
            message.events.add("end " + message.chunks());
            return;
        }
        require(codings == null || !message.is(Divergence.OTHER_CODING));
        BigInteger length = codings == null ? message.length(fields) : null;
        if (length != null) {
            head(code, fields, old, "LENGTH " + length, kept);
            message.content(length);
        } else {
            head(code, fields, old, "CLOSE -1", false);
            message.body(message.rest());
            over = true;
        }
        message.events.add("end []");
    }

    private void head(int code, List<Field> fields, boolean old, String framing, boolean kept) {
        message.events.add(
                "head %d HTTP/1.%d %s %s %s"
                        .formatted(
                                code, old ? 0 : 1, fields, framing, kept ? "keep-alive" : "close"));
    }
}
