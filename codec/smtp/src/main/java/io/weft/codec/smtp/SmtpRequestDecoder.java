package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Decodes what clients send: commands, and contents in [SmtpContent.Part]s.
///
/// **Modes.** It reads commands. The server that answers DATA with 354 calls [#content()], also
/// from within the consumer, and the one that answers AUTH with 334 [#authResponse()]. What follows
/// BDAT needs no call: as many bytes are read as it says, whatever the server thinks of it.
///
/// **Errors.** A line that is no command is a [SmtpCommand.Invalid], and reading goes on. An
/// [SmtpException] ends it: CR, LF or NUL alone in a line, a line that is too long for any command,
/// BDAT without a size, a request of HTTP; and CR or LF alone in a content, see [BareLineEnds].
public final class SmtpRequestDecoder extends StepDecoder<SmtpRequest> {
    private enum State {
        COMMAND,
        AUTH,
        DATA,
        CHUNK
    }

    private final SmtpLimits limits;
    private final LineScanner scanner = new LineScanner();
    private final DataDecoder data;
    private State state = State.COMMAND;

    /// Bytes of the current chunk that have not come.
    private long left;

    public SmtpRequestDecoder() {
        this(SmtpLimits.DEFAULT);
    }

    public SmtpRequestDecoder(SmtpLimits limits) {
        this(limits, BareLineEnds.REFUSE);
    }

    public SmtpRequestDecoder(SmtpLimits limits, BareLineEnds bare) {
        this.limits = limits;
        data = new DataDecoder(limits, bare);
    }

    /// The content of DATA comes next.
    ///
    /// @throws IllegalStateException in a content or a chunk
    public void content() {
        requireCommands();
        data.begin();
        state = State.DATA;
    }

    /// A response of AUTH comes next, and commands behind it.
    ///
    /// @throws IllegalStateException in a content or a chunk
    public void authResponse() {
        requireCommands();
        state = State.AUTH;
    }

    private void requireCommands() {
        if (state == State.DATA || state == State.CHUNK) {
            throw new IllegalStateException("state: " + state + " (expected: between commands)");
        }
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super SmtpRequest> out) {
        return switch (state) {
            case COMMAND, AUTH -> line(in, out);
            case DATA -> data(in, out);
            case CHUNK -> chunk(in, out);
        };
    }

    private boolean line(Buffer in, Consumer<? super SmtpRequest> out) {
        int start = in.readOffset();
        int end = scanner.endOfLine(in, limits.longestCommand(), "command line");
        if (end < 0) {
            return false;
        }
        String line = Chars.utf8(in, start, end);
        SmtpCommand command;
        if (line == null) {
            command =
                    invalid(
                            DecoderException.quote(in, start, end)
                                    + ": no UTF-8 (expected: ASCII, or UTF-8)");
        } else if (state == State.AUTH) {
            command = response(line);
        } else {
            command = CommandParser.parse(line, limits);
        }
        in.readOffset(end + 2);
        state = State.COMMAND;
        if (command instanceof SmtpCommand.Bdat bdat) {
            left = bdat.size();
            state = State.CHUNK;
        }
        out.accept(command);
        return true;
    }

    private static SmtpCommand.Invalid invalid(String message) {
        return new SmtpCommand.Invalid(SmtpReply.of(501, "5.5.2", message));
    }

    private static SmtpCommand response(String line) {
        try {
            return new SmtpCommand.AuthResponse(line);
        } catch (IllegalArgumentException e) {
            return invalid(String.valueOf(e.getMessage())); // RFC 4954, section 4
        }
    }

    private boolean data(Buffer in, Consumer<? super SmtpRequest> out) {
        int step = data.step(in, out);
        if (step == DataDecoder.END) {
            state = State.COMMAND;
            out.accept(new SmtpContent.End(data.fault()));
        }
        return step != DataDecoder.MORE;
    }

    private boolean chunk(Buffer in, Consumer<? super SmtpRequest> out) {
        if (left == 0) {
            state = State.COMMAND;
            emitted();
            out.accept(new SmtpContent.End(null));
            return true;
        }
        if (!in.isReadable()) {
            return false;
        }
        int length = (int) Math.min(left, in.readableBytes());
        left -= length;
        out.accept(new SmtpContent.Part(in.split(length)));
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super SmtpRequest> out) {
        if (state == State.DATA || state == State.CHUNK) {
            throw new PrematureEndException("a content");
        }
        super.finish(unread, out);
    }
}
