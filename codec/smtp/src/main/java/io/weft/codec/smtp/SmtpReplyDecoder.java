package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
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

    /// Bytes of a line with its CRLF that is copied and remembered, at most.
    private static final int REMEMBERED = 64;

    private static final int CRLF = 0x0D0A;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final SmtpLimits limits;
    private final LineScanner scanner = new LineScanner();
    private final List<String> lines = new ArrayList<>(1);
    private int code;
    private int size;

    /// The last reply of one line, and that line: recipients mostly get the same one.
    private @Nullable SmtpReply last;

    /// The line, if it is short, whole and plain.
    private final byte[] line = new byte[REMEMBERED];

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
        int length = scanner.hasLooked() ? -1 : plainLine(in, start);
        if (length >= 0) {
            SmtpReply same = last;
            if (same != null
                    && lines.isEmpty()
                    && Arrays.equals(line, 0, length, lastLine, 0, lastLength)) {
                in.readOffset(start + length + 2);
                out.accept(same);
                return true;
            }
            byte separator = check(in, start, length);
            int from = Math.min(4, length);
            lines.add(new String(line, from, length - from, ISO_8859_1));
            taken(in, start + length, separator, length, out);
            return true;
        }
        int end = scanner.endOfLine(in, limits.replyLine(), "reply line");
        if (end < 0) {
            return false;
        }
        byte separator = check(in, start, end - start);
        lines.add(text(in, Math.min(start + 4, end), end));
        taken(in, end, separator, -1, out);
        return true;
    }

    /// Copies the line at `start` to [#line] if it is short, whole, and of ASCII without controls,
    /// as nearly all are; looks at eight bytes at a time. A byte is below 0x20 where subtracting
    /// 0x20 borrows, and above 0x7E where it or its successor has the highest bit; the lowest hit
    /// is exact.
    ///
    /// @return its length without CRLF, or -1
    private int plainLine(Buffer in, int start) {
        int readable = in.readableBytes();
        int to = Math.min(Math.min(readable, limits.replyLine()), REMEMBERED);
        if (to < 8) {
            return -1;
        }
        for (int i = 0; i < to; i += 8) {
            int room = to - i;
            long word =
                    room >= 8
                            ? in.getLongLE(start + i)
                            : in.getLongLE(start + to - 8) >>> (64 - 8 * room);
            LONG.set(line, i, word);
            long found = (((word - 0x20 * ONES) & ~word) | word | (word + ONES)) & HIGHS;
            if (found != 0) {
                int end = i + (Long.numberOfTrailingZeros(found) >>> 3);
                return end + 2 <= to && in.getShort(start + end) == CRLF ? end : -1;
            }
        }
        return -1;
    }

    /// Checks the code of the line at `start`, what stands behind it, and the reply's limit.
    ///
    /// @return the byte behind the code
    private byte check(Buffer in, int start, int length) {
        int c = length < 3 ? 0 : number(in, start);
        if (!SmtpReply.isCode(c)) {
            throw fault("reply: " + quote(in, start, length) + " (expected: a code)");
        }
        byte separator = length > 3 ? in.getByte(start + 3) : (byte) ' ';
        if ((separator != ' ' && separator != '-') || (!lines.isEmpty() && c != code)) {
            throw fault(
                    "reply: "
                            + quote(in, start, length)
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
        return separator;
    }

    private static String quote(Buffer in, int start, int length) {
        return DecoderException.quote(in, start, start + length);
    }

    /// Goes on behind the line that ends at `end`, and hands out the reply if it was the last one.
    ///
    /// @param plain length of the line in [#line]; -1 when it is not there
    private void taken(
            Buffer in, int end, byte separator, int plain, Consumer<? super SmtpReply> out) {
        in.readOffset(end + 2);
        if (separator != ' ') {
            return;
        }
        SmtpReply reply = reply();
        if (lines.size() == 1 && plain >= 0) {
            System.arraycopy(line, 0, lastLine, 0, plain);
            lastLength = plain;
            last = reply;
        }
        lines.clear();
        size = 0;
        out.accept(reply);
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

    private SmtpReply reply() {
        EnhancedStatus status = status(lines.getFirst());
        int count = lines.size();
        for (int i = 1; i < count && status != null; i++) {
            status = status.equals(status(lines.get(i))) ? status : null;
        }
        if (status != null) {
            lines.replaceAll(SmtpReplyDecoder::withoutStatus);
        }
        // One line is checked once more: its list is smaller.
        return new SmtpReply(
                code, status, count == 1 ? List.of(lines.getFirst()) : new ReplyLines(lines));
    }

    private static String withoutStatus(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? "" : line.substring(space + 1);
    }

    private @Nullable EnhancedStatus status(String line) {
        if (line.length() < 5 || line.charAt(1) != '.') {
            return null;
        }
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
