package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.StepDecoder;
import java.util.Arrays;
import java.util.function.Consumer;

/// Decodes commands, as servers get them: arrays of bulks, and lines that people type.
///
/// Empty lines and arrays are ignored, as Redis does. A connection that begins with a request of
/// HTTP is refused: a page in a browser can have one sent (cross-protocol scripting).
///
/// **Errors.** What breaks the protocol or a limit is a [RespException], whose reply a server
/// sends before it closes.
///
/// **Memory.** A command is one slice of the input, which is not copied; until it is complete its
/// bytes stay unread, and nothing is kept but where its arguments are.
public final class CommandDecoder extends StepDecoder<Command> {
    /// Arguments that a count reserves room for.
    private static final int FIRST_ROOM = 32;

    private static final int NO_COUNT = -1;
    private static final int[] NO_BOUNDS = {};

    private RespLimits limits;
    private final Lines lines = new Lines();

    /// Arguments of the command that comes.
    private int count = NO_COUNT;

    private int arguments;
    private int[] bounds = NO_BOUNDS;

    /// Bytes of the command that have been read, from the read offset on.
    private int position;

    public CommandDecoder() {
        this(RespLimits.DEFAULT);
    }

    public CommandDecoder(RespLimits limits) {
        this.limits = limits;
    }

    /// Sets the limits of the commands that have not begun: servers have narrow ones for clients
    /// that are not authenticated.
    public void limits(RespLimits limits) {
        this.limits = limits;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Command> out) {
        if (!in.isReadable()) {
            return false;
        }
        int base = in.readOffset();
        if (count == NO_COUNT) {
            if (in.getByte(base) != '*') {
                return inline(in, base, out);
            }
            if (!lines.findNumber(in, base + 1)) {
                return false;
            }
            if (lines.number <= 0) {
                if (lines.number < -1) {
                    var _ = Lengths.elements(RespType.ARRAY, lines.number, 0, limits);
                }
                in.readOffset(lines.next);
                return true;
            }
            count = (int) Lengths.elements(RespType.ARRAY, lines.number, 0, limits);
            bounds = new int[2 * Math.min(count, FIRST_ROOM)];
            position = lines.next - base;
        }
        while (arguments < count) {
            if (!argument(in, base)) {
                return false;
            }
        }
        int[] all = bounds.length == 2 * count ? bounds : Arrays.copyOf(bounds, 2 * count);
        int length = position;
        count = NO_COUNT;
        arguments = 0;
        bounds = NO_BOUNDS; // the next command has its own
        out.accept(Command.decoded(in.split(length), all));
        return true;
    }

    private boolean argument(Buffer in, int base) {
        int at = base + position;
        if (at == in.writeOffset()) {
            return false;
        }
        if (in.getByte(at) != '$') {
            throw new RespException(
                    RespFault.ARGUMENT,
                    "expected '$', got "
                            + DecoderException.quote(in, at, at + 1)
                            + " (expected: a bulk)");
        }
        if (!lines.findNumber(in, at + 1)) {
            return false;
        }
        long length = lines.number;
        int start = lines.next;
        Lengths.bulk(RespType.BULK, length, 0, limits);
        Lengths.message(start - base + length + 2, limits);
        int end = start + (int) length;
        if (!Lengths.ends(in, end)) {
            return false;
        }
        if (2 * arguments == bounds.length) {
            bounds = Arrays.copyOf(bounds, (int) Math.min(2L * count, 4L * arguments));
        }
        bounds[2 * arguments] = start - base;
        bounds[2 * arguments + 1] = end - base;
        arguments++;
        position = end + 2 - base;
        return true;
    }

    private boolean inline(Buffer in, int base, Consumer<? super Command> out) {
        if (!lines.findLoose(in, base, limits.lineBytes())) {
            return false;
        }
        int end = lines.end;
        int next = lines.next;
        Command command = InlineCommand.parse(in, base, end, limits);
        in.readOffset(next);
        if (command != null) {
            out.accept(command);
        }
        return true;
    }
}
