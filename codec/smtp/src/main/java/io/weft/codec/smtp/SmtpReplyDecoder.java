package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the replies of servers.
///
/// An enhanced status is taken off the text if each line carries the same one. Bytes that are no
/// UTF-8 are read as Latin-1, and controls of the text as `?`. Codes beyond the grammar that real
/// servers send, such as 571, are read, see [SmtpReply].
///
/// **Errors.** A reply that breaks the protocol or a limit is an [SmtpException]: CRLF alone ends a
/// line, and all lines have the same code.
public final class SmtpReplyDecoder extends StepDecoder<SmtpReply> {
    private static final int LINE_OVERHEAD = 48;

    /// Bytes of a line that is remembered, at most.
    private static final int REMEMBERED = 64;

    private final SmtpLimits limits;
    private final LineScanner scanner = new LineScanner();
    private final List<String> lines = new ArrayList<>(1);
    private int code;
    private int size;

    /// The last reply of one line, and that line: recipients mostly get the same one.
    private @Nullable SmtpReply last;

    private final byte[] text = new byte[REMEMBERED];
    private final byte[] lastLine = new byte[REMEMBERED];
    private int lastLength;

    public SmtpReplyDecoder() {
        this(SmtpLimits.DEFAULT);
    }

    public SmtpReplyDecoder(SmtpLimits limits) {
        this.limits = limits;
    }

    private static SmtpException fault(String message) {
        return new SmtpException(554, "5.5.2", message);
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super SmtpReply> out) {
        int start = in.readOffset();
        int end = scanner.endOfLine(in, limits.replyLine(), "reply line");
        if (end < 0) {
            return false;
        }
        int length = end - start;
        SmtpReply same = last;
        if (same != null && lines.isEmpty() && isLast(in, start, length)) {
            in.readOffset(end + 2);
            out.accept(same);
            return true;
        }
        int c = length < 3 ? 0 : number(in, start);
        if (!SmtpReply.isCode(c)) {
            throw fault("reply: " + DecoderException.quote(in, start, end) + " (expected: a code)");
        }
        byte separator = length > 3 ? in.getByte(start + 3) : (byte) ' ';
        if ((separator != ' ' && separator != '-') || (!lines.isEmpty() && c != code)) {
            throw fault(
                    "reply: "
                            + DecoderException.quote(in, start, end)
                            + " (expected: space or hyphen behind the code, the same in all lines)");
        }
        code = c;
        size += length + 2 + LINE_OVERHEAD;
        if (size > limits.reply()) {
            throw fault(
                    "reply bytes: more than "
                            + limits.reply()
                            + " (expected: at most "
                            + limits.reply()
                            + ")");
        }
        lines.add(text(in, Math.min(start + 4, end), end));
        in.readOffset(end + 2);
        if (separator == ' ') {
            SmtpReply reply = reply();
            if (lines.size() == 1 && length <= REMEMBERED) {
                in.getBytes(start, lastLine, 0, length);
                lastLength = length;
                last = reply;
            }
            lines.clear();
            size = 0;
            out.accept(reply);
        }
        return true;
    }

    private boolean isLast(Buffer in, int start, int length) {
        boolean same = length == lastLength;
        for (int i = 0; same && i < length; i++) {
            same = in.getByte(start + i) == lastLine[i];
        }
        return same;
    }

    private static int number(Buffer in, int at) {
        int n = 0;
        for (int i = at; i < at + 3; i++) {
            int b = in.getByte(i);
            if (!Chars.isDigit(b)) {
                return 0;
            }
            n = n * 10 + b - '0';
        }
        return n;
    }

    private String text(Buffer in, int from, int to) {
        String plain = plain(in, from, to);
        if (plain != null) {
            return plain;
        }
        String text = Chars.utf8(in, from, to);
        String line = text == null ? in.getString(from, to - from, ISO_8859_1) : text;
        try {
            return Chars.requireText("reply", line);
        } catch (IllegalArgumentException e) {
            StringBuilder clean = new StringBuilder(line.length());
            line.codePoints()
                    .map(
                            c ->
                                    (c >= 0x20 && c < 0x7F) || c == '\t' || Chars.isInternational(c)
                                            ? c
                                            : '?')
                    .forEach(clean::appendCodePoint);
            return clean.toString();
        }
    }

    /// The text if it is short, and of ASCII without controls, as nearly all are; else null.
    private @Nullable String plain(Buffer in, int from, int to) {
        int length = to - from;
        if (length > text.length) {
            return null;
        }
        for (int i = 0; i < length; i++) {
            byte b = in.getByte(from + i);
            if (b < 0x20 || b == 0x7F) {
                return null;
            }
            text[i] = b;
        }
        return new String(text, 0, length, ISO_8859_1);
    }

    private SmtpReply reply() {
        EnhancedStatus status = status(lines.getFirst());
        for (String line : lines) {
            if (status == null || !status.equals(status(line))) {
                return new SmtpReply(code, null, lines);
            }
        }
        if (lines.size() == 1) {
            return new SmtpReply(code, status, List.of(withoutStatus(lines.getFirst())));
        }
        List<String> texts = new ArrayList<>(lines.size());
        for (String line : lines) {
            texts.add(withoutStatus(line));
        }
        return new SmtpReply(code, status, texts);
    }

    private static String withoutStatus(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? "" : line.substring(space + 1);
    }

    private @Nullable EnhancedStatus status(String line) {
        int space = line.indexOf(' ');
        EnhancedStatus status = EnhancedStatus.parse(line, 0, space < 0 ? line.length() : space);
        return status != null && status.kind() == code / 100 ? status : null;
    }

    @Override
    protected void finish(int unread, Consumer<? super SmtpReply> out) {
        if (!lines.isEmpty()) {
            throw new PrematureEndException("a reply");
        }
        super.finish(unread, out);
    }
}
