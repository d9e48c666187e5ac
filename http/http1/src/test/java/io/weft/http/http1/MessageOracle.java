package io.weft.http.http1;

import static java.util.Locale.ROOT;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The part of the oracles that requests and responses have in common: an input that is read from
/// its beginning, sections of fields, and content (RFC 9112, 5 to 7).
final class MessageOracle {
    static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
    private static final String BLANKS = "[ \\t]*";
    static final String TEXT = "[\\t \\x21-\\x7E\\x80-\\xFF]*";
    private static final String QUOTED =
            "\"(?:[\\t !\\x23-\\x5B\\x5D-\\x7E\\x80-\\xFF]|\\\\[\\t \\x21-\\x7E\\x80-\\xFF])*+\"";

    /// RFC 9112, 5 and 5.2: `field-name ":" OWS field-value OWS CRLF`, with folds.
    private static final Pattern FIELD =
            Pattern.compile("(" + TOKEN + "):(" + TEXT + "(?:\r\n[ \\t]" + TEXT + ")*)\r\n");

    /// RFC 9112, 7.1 and 7.1.1, with the blanks called bad.
    private static final Pattern CHUNK_LINE =
            Pattern.compile(
                    String.format(
                            "([0-9A-Fa-f]+)((?:%1$s;%1$s%2$s(?:%1$s=%1$s(?:%2$s|%3$s))?)*+)\r\n",
                            BLANKS, TOKEN, QUOTED));

    private static final Pattern EXTENSIONS =
            Pattern.compile(String.format("(?:;%1$s(?:=(?:%1$s|%2$s))?)*+", TOKEN, QUOTED));

    /// RFC 9110, 10.1.4: `transfer-coding = token *( OWS ";" OWS transfer-parameter )`.
    private static final Pattern CODING =
            Pattern.compile(
                    String.format(
                            "%2$s(?:%1$s;%1$s%2$s%1$s=%1$s(?:%2$s|%3$s))*", BLANKS, TOKEN, QUOTED));

    /// RFC 9110, 6.5.1: fields for framing, routing, authentication, modifiers, controls, content.
    private static final Set<String> NOT_IN_TRAILERS =
            Set.of(
                    "transfer-encoding",
                    "content-length",
                    "host",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "upgrade",
                    "te",
                    "trailer",
                    "expect",
                    "max-forwards",
                    "cache-control",
                    "pragma",
                    "range",
                    "if-match",
                    "if-none-match",
                    "if-modified-since",
                    "if-unmodified-since",
                    "if-range",
                    "authorization",
                    "proxy-authorization",
                    "www-authenticate",
                    "proxy-authenticate",
                    "cookie",
                    "set-cookie",
                    "content-encoding",
                    "content-type",
                    "content-range",
                    "location",
                    "date",
                    "vary",
                    "age",
                    "expires",
                    "retry-after");

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    record Field(String name, String value) {
        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final Set<Divergence> divergences;
    private final String input;
    final List<String> events = new ArrayList<>();
    private int at;

    MessageOracle(String input, Set<Divergence> divergences) {
        this.input = input;
        this.divergences = divergences;
    }

    // ---- the input ----

    boolean is(Divergence divergence) {
        return divergences.contains(divergence);
    }

    static void require(boolean condition) throws Refused {
        if (!condition) {
            throw new Refused();
        }
    }

    boolean isAtEnd() {
        return at == input.length();
    }

    /// Takes CR LF.
    boolean takesEmptyLine() {
        boolean there = input.startsWith("\r\n", at);
        at += there ? 2 : 0;
        return there;
    }

    /// Takes all the rest.
    String rest() {
        String rest = input.substring(at);
        at = input.length();
        return rest;
    }

    Matcher next(Pattern pattern) throws Refused {
        Matcher matcher = pattern.matcher(input).region(at, input.length());
        require(matcher.lookingAt());
        at = matcher.end();
        return matcher;
    }

    // ---- fields ----

    List<Field> section() throws Refused {
        List<Field> fields = new ArrayList<>();
        int start = at;
        while (!input.startsWith("\r\n", at)) {
            Matcher field = next(FIELD);
            String value = field.group(2);
            require(!value.contains("\r\n") || !is(Divergence.FOLDED_LINE));
            String unfolded = value.replaceAll("[ \\t]*\r\n[ \\t]+", " ");
            fields.add(new Field(field.group(1).toLowerCase(ROOT), stripped(unfolded)));
            require(at - start <= 16384 && fields.size() <= 100);
        }
        at += 2;
        return fields;
    }

    static String stripped(String text) {
        return text.replaceAll("^[ \\t]+", "").replaceAll("[ \\t]+$", "");
    }

    static List<String> values(List<Field> fields, String name) {
        return fields.stream().filter(f -> f.name().equals(name)).map(Field::value).toList();
    }

    /// RFC 9110, 5.6.1: the members of a list, empty ones too.
    static List<String> list(List<Field> fields, String name) {
        List<String> members = new ArrayList<>();
        for (String value : values(fields, name)) {
            for (String member : value.split(",", -1)) {
                members.add(stripped(member));
            }
        }
        return members;
    }

    /// RFC 9112, 6.1: the transfer codings; null without any.
    @Nullable List<String> codings(List<Field> fields, boolean old) throws Refused {
        if (values(fields, "transfer-encoding").isEmpty()) {
            return null;
        }
        require(!old || !is(Divergence.CODING_IN_1_0));
        List<String> codings = list(fields, "transfer-encoding");
        require(!codings.contains("") || !is(Divergence.EMPTY_CODING));
        codings.removeIf(String::isEmpty);
        for (String coding : codings) {
            require(CODING.matcher(coding).matches());
        }
        require(!codings.isEmpty());
        require(codings.stream().filter("chunked"::equalsIgnoreCase).count() <= 1);
        require(isChunked(codings) ? codings.size() == 1 || !is(Divergence.OTHER_CODING) : true);
        boolean both = !values(fields, "content-length").isEmpty();
        require(!both || !is(Divergence.LENGTH_AND_CODING));
        return codings;
    }

    static boolean isChunked(List<String> codings) {
        return codings.getLast().equalsIgnoreCase("chunked");
    }

    /// RFC 9110, 8.6.
    @Nullable BigInteger length(List<Field> fields) throws Refused {
        List<String> lengths = list(fields, "content-length");
        if (lengths.isEmpty()) {
            return null;
        }
        require(lengths.stream().allMatch(l -> l.matches("[0-9]+")));
        require(lengths.stream().map(BigInteger::new).distinct().count() == 1);
        require(lengths.size() == 1 || !is(Divergence.REPEATED_LENGTH));
        BigInteger length = new BigInteger(lengths.getFirst());
        require(length.compareTo(LARGEST) <= 0 || !is(Divergence.LARGE_LENGTH));
        return length;
    }

    /// RFC 9112, 9.3.
    static boolean isKept(List<Field> fields, boolean old) {
        List<String> options = list(fields, "connection");
        return options.stream().noneMatch("close"::equalsIgnoreCase)
                && (!old || options.stream().anyMatch("keep-alive"::equalsIgnoreCase));
    }

    // ---- content ----

    void content(BigInteger length) throws Refused {
        int rest = input.length() - at;
        int taken = length.min(BigInteger.valueOf(rest)).intValue();
        body(input.substring(at, at + taken));
        at += taken;
        require(length.equals(BigInteger.valueOf(taken)));
    }

    /// RFC 9112, 7.1. Returns the trailers.
    List<Field> chunks() throws Refused {
        int extensions = 0;
        while (true) {
            Matcher line = next(CHUNK_LINE);
            require(line.end() - line.start() - 2 <= 16 + 256);
            String size = line.group(1);
            String extension = line.group(2);
            BigInteger length = new BigInteger(size, 16);
            boolean large = size.length() > 16 || length.compareTo(LARGEST) > 0;
            require(!large || !is(Divergence.LONG_CHUNK_SIZE));
            require(EXTENSIONS.matcher(extension).matches() || !is(Divergence.BLANK_IN_CHUNK_LINE));
            extensions += extension.length();
            require(extension.length() <= 256 && extensions <= 16384);
            if (length.signum() == 0) {
                break;
            }
            content(length);
            require(input.startsWith("\r\n", at));
            at += 2;
        }
        List<Field> trailers = section();
        boolean fit = trailers.stream().noneMatch(f -> NOT_IN_TRAILERS.contains(f.name()));
        require(fit || !is(Divergence.FIELD_NOT_FOR_TRAILERS));
        return trailers;
    }

    /// Adds a piece of content.
    void body(String piece) {
        int last = events.size() - 1;
        if (piece.isEmpty()) {
            return;
        }
        if (events.get(last).startsWith("body ")) {
            events.set(last, events.get(last) + piece);
        } else {
            events.add("body " + piece);
        }
    }

    /// Returns `text` with all but printable ASCII escaped, for messages of tests.
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        text.chars()
                .forEach(
                        c ->
                                quoted.append(
                                        c >= ' ' && c < 127
                                                ? Character.toString(c)
                                                : String.format("\\u%04x", c)));
        return quoted.toString();
    }
}
