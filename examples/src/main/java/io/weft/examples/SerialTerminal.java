package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import io.weft.transport.serial.SerialAddress;
import io.weft.transport.serial.SerialLine;
import io.weft.transport.serial.SerialOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A terminal for a serial port: sends the lines that are typed, and shows what comes. Lines that
/// begin with a colon are commands. Try it with `./run-example.sh serial-terminal /dev/ttyUSB0`.
public final class SerialTerminal {
    private static final String USAGE =
            "serial-terminal DEVICE [--line 115200,8N1] [--end crlf|cr|lf]"
                    + " [--transport auto|io_uring|epoll]; then lines to send, or :lines,"
                    + " :dtr on|off, :rts on|off, :break MILLIS, :line 9600,7E1, :quit";

    private static final Map<String, String> ENDS = Map.of("crlf", "\r\n", "cr", "\r", "lf", "\n");

    private final Channel port;
    private final String lineEnd;
    private final PrintStream out;

    private SerialTerminal(Channel port, String lineEnd, PrintStream out) {
        this.port = port;
        this.lineEnd = lineEnd;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("usage: " + USAGE);
            return;
        }
        try {
            run(args, new BufferedReader(new InputStreamReader(System.in, UTF_8)), System.out);
        } catch (IllegalArgumentException | IllegalStateException | CompletionException e) {
            Failure.of(e).exit();
        }
    }

    /// Runs until the input ends or `:quit` is read.
    ///
    /// @throws IllegalStateException when the port has hung up
    static void run(String[] args, BufferedReader in, PrintStream out) throws IOException {
        Extras extras = Extras.take(args, USAGE, "--line", "--end", "--transport");
        if (extras.rest().size() != 1) {
            throw new IllegalArgumentException(
                    "devices: " + extras.rest() + " (expected: " + USAGE + ")");
        }
        String end = last(extras, "--end", "crlf");
        String lineEnd = ENDS.get(end);
        if (lineEnd == null) {
            throw new IllegalArgumentException("--end: " + end + " (expected: crlf, cr or lf)");
        }
        SerialLine line = SerialLine.parse(last(extras, "--line", "115200,8N1"));
        try (EventLoopGroup group = EventLoopGroup.create(last(extras, "--transport", "auto"), 1)) {
            Channel port =
                    new Bootstrap(group)
                            .option(SerialOption.LINE, line)
                            .handler(channel -> channel.pipeline().addLast(new Screen(out)))
                            .connect(SerialAddress.of(extras.rest().getFirst()))
                            .join();
            new SerialTerminal(port, lineEnd, out).talk(in);
            if (!port.isOpen()) {
                throw new IllegalStateException(extras.rest().getFirst() + ": hung up");
            }
            port.close().join();
        }
    }

    private static String last(Extras extras, String option, String byDefault) {
        @Nullable String value = extras.last(option);
        return value == null ? byDefault : value;
    }

    private void talk(BufferedReader in) throws IOException {
        out.println("connected to " + port.remoteAddress());
        for (String line; port.isOpen() && (line = in.readLine()) != null; ) {
            if (line.equals(":quit")) {
                return;
            }
            try {
                if (line.startsWith(":")) {
                    command(line.substring(1).split(" ", 2));
                } else {
                    send(line + lineEnd);
                }
            } catch (CompletionException | IllegalArgumentException e) {
                out.println("(error) " + Failure.of(e).line());
            }
        }
    }

    private void send(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        Buffer buffer = BufferAllocator.pooled().allocate(bytes.length);
        buffer.writeBytes(bytes);
        Promise<Void> sent = port.newPromise();
        port.writeAndFlush(buffer, sent);
        sent.join();
    }

    private void command(String[] words) {
        String argument = words.length > 1 ? words[1].strip() : "";
        switch (words[0]) {
            case "lines" ->
                    out.println(
                            port.eventLoop()
                                    .submit(() -> port.getOption(SerialOption.MODEM_LINES))
                                    .join());
            case "dtr" -> set(SerialOption.DTR, isOn(argument));
            case "rts" -> set(SerialOption.RTS, isOn(argument));
            case "break" -> set(SerialOption.BREAK, millis(argument));
            case "line" -> set(SerialOption.LINE, SerialLine.parse(argument));
            default -> throw new IllegalArgumentException(words[0] + " (expected: " + USAGE + ")");
        }
    }

    static boolean isOn(String argument) {
        return switch (argument) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException(argument + " (expected: on or off)");
        };
    }

    static Duration millis(String argument) {
        if (!argument.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException(argument + " (expected: milliseconds up to 60000)");
        }
        return Duration.ofMillis(Integer.parseInt(argument));
    }

    private <T> void set(ChannelOption<T> option, T value) {
        boolean _ =
                port.eventLoop()
                        .submit(
                                () -> {
                                    port.setOption(option, value);
                                    return true;
                                })
                        .join();
    }

    /// Shows what the port sends.
    private record Screen(PrintStream out) implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                byte[] copy = new byte[bytes.readableBytes()];
                bytes.readBytes(copy);
                out.write(copy, 0, copy.length);
                out.flush();
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            out.println("(the port is gone)");
            ctx.fireChannelInputClosed();
        }
    }
}
