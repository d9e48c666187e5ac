package io.weft.http.http1;

import static io.weft.http.http1.MessageOracle.require;

import io.weft.http.http1.MessageOracle.Field;
import io.weft.http.http1.MessageOracle.Refused;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A second opinion on requests: a slow recogniser of whole inputs, written from the grammar of RFC
/// 9110 and RFC 9112 as regular expressions, which shares no code with [RequestDecoder]. It keeps
/// to the RFCs but for the [Divergence]s it is given, and says the same as [Trace] of what it sees.
final class RequestOracle {
    /// RFC 9112, 3: `method SP request-target SP HTTP-version CRLF`.
    private static final Pattern REQUEST_LINE =
            Pattern.compile("(" + MessageOracle.TOKEN + ") ([^ ]+) HTTP/([0-9])\\.([0-9])\r\n");

    private final OracleTarget targets;
    private final MessageOracle message;

    private RequestOracle(String input, Set<Divergence> divergences) {
        message = new MessageOracle(input, divergences);
        targets = new OracleTarget(divergences);
    }

    /// The events of [Trace], but an error without its status.
    static List<String> of(String input, Set<Divergence> divergences) {
        RequestOracle oracle = new RequestOracle(input, divergences);
        try {
            while (oracle.skipEmptyLines()) {
                oracle.request();
            }
        } catch (Refused e) {
            oracle.message.events.add("error");
        }
        return oracle.message.events;
    }

    /// RFC 9112, 2.2: a server ignores at least one.
    private boolean skipEmptyLines() {
        int most = message.is(Divergence.SECOND_EMPTY_LINE) ? 1 : Integer.MAX_VALUE;
        for (int i = 0; i < most && message.takesEmptyLine(); i++) {}
        return !message.isAtEnd();
    }

    private void request() throws Refused {
        Matcher line = message.next(REQUEST_LINE);
        require(line.end() - line.start() - 2 <= 8192);
        String method = line.group(1);
        require(method.length() <= 64 || !message.is(Divergence.LONG_METHOD));
        String target = line.group(2);
        require(targets.isTarget(method, target));
        require(line.group(3).equals("1"));
        int minor = Integer.parseInt(line.group(4));
        require(minor < 2 || !message.is(Divergence.OTHER_MINOR_VERSION));
        boolean old = minor == 0;
        List<Field> fields = message.section();
        checkHost(fields, old);

        List<String> codings = message.codings(fields, old);
        boolean chunked = codings != null;
        require(codings == null || MessageOracle.isChunked(codings)); // RFC 9112, 6.3
        BigInteger length = chunked ? null : message.length(fields);
        boolean content = chunked || (length != null && length.signum() > 0);
        boolean without = method.equals("CONNECT") || method.equals("TRACE");
        require(!content || !without || !message.is(Divergence.CONTENT_WITH_CONNECT));
        boolean waits = !old && expectsContinue(fields) && content;
        message.events.add(
                "head %s %s HTTP/1.%d %s %s %s %s%s"
                        .formatted(
                                method,
                                target,
                                Math.min(1, minor),
                                fields,
                                chunked ? "CHUNKED" : content ? "LENGTH" : "NONE",
                                chunked ? "-1" : length == null ? "0" : length.toString(),
                                MessageOracle.isKept(fields, old) ? "keep-alive" : "close",
                                waits ? " expect" : ""));
        if (chunked) {
            message.events.add("end " + message.chunks());
        } else {
            message.content(length == null ? BigInteger.ZERO : length);
            message.events.add("end []");
        }
    }

    // ---- fields ----

    /// RFC 9112, 3.2.
    private void checkHost(List<Field> fields, boolean old) throws Refused {
        List<String> hosts = MessageOracle.values(fields, "host");
        require(hosts.size() == 1 || (hosts.isEmpty() && old));
        require(hosts.isEmpty() || targets.isHost(hosts.getFirst()));
    }

    /// RFC 9110, 10.1.1.
    private boolean expectsContinue(List<Field> fields) throws Refused {
        List<String> expectations = MessageOracle.list(fields, "expect");
        boolean only =
                expectations.size() == 1
                        && expectations.getFirst().equalsIgnoreCase("100-continue");
        require(only || expectations.isEmpty() || !message.is(Divergence.OTHER_EXPECTATION));
        return expectations.stream().anyMatch("100-continue"::equalsIgnoreCase);
    }
}
