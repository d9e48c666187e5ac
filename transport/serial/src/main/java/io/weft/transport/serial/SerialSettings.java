package io.weft.transport.serial;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.ffi.Tty;
import io.weft.loop.EventExecutor;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The options of an open port: what was chosen for it, and what the kernel has.
final class SerialSettings {
    private static final Duration MAX_BREAK = Duration.ofSeconds(60);

    private final EventExecutor loop;
    private final SerialPort port;
    private final boolean exclusive;
    private final boolean carrier;
    private final boolean hangUpAtClose;
    private ReadTiming timing;

    /// Ends the break condition that lasts.
    private @Nullable Timeout breakEnd;

    /// Sets the port as `options` say.
    ///
    /// @throws IOException if the port cannot be set so
    SerialSettings(EventExecutor loop, SerialPort port, ChannelOptions options) throws IOException {
        this.loop = loop;
        this.port = port;
        this.exclusive = options.get(SerialOption.EXCLUSIVE);
        this.carrier = options.get(SerialOption.CARRIER);
        this.hangUpAtClose = options.get(SerialOption.HANG_UP_AT_CLOSE);
        this.timing = options.get(SerialOption.READ_TIMING);
        line(options.get(SerialOption.LINE));
        if (options.isSet(SerialOption.DTR)) {
            port.raise(Tty.TIOCM_DTR, options.get(SerialOption.DTR));
        }
        if (options.isSet(SerialOption.RTS)) {
            port.raise(Tty.TIOCM_RTS, options.get(SerialOption.RTS));
        }
    }

    private void line(SerialLine line) throws IOException {
        port.line(line, carrier, hangUpAtClose);
    }

    ReadTiming timing() {
        return timing;
    }

    /// @throws UnsupportedOperationException if ports have no such option, or it cannot be read
    @SuppressWarnings("unchecked") // each value is of its option's type
    <T> T get(ChannelOption<T> option) throws IOException {
        Object value;
        if (option == SerialOption.LINE) {
            value = port.line();
        } else if (option == SerialOption.MODEM_LINES) {
            value = port.modemLines();
        } else if (option == SerialOption.DTR) {
            value = port.modemLines().dtr();
        } else if (option == SerialOption.RTS) {
            value = port.modemLines().rts();
        } else if (option == SerialOption.READ_TIMING) {
            value = timing;
        } else if (option == SerialOption.EXCLUSIVE) {
            value = exclusive;
        } else if (option == SerialOption.CARRIER) {
            value = carrier;
        } else if (option == SerialOption.HANG_UP_AT_CLOSE) {
            value = hangUpAtClose;
        } else {
            throw new UnsupportedOperationException(option + " of a serial port: cannot be read");
        }
        return (T) value;
    }

    /// @throws UnsupportedOperationException if ports have no such option, or it cannot be set now
    <T> void set(ChannelOption<T> option, T value) throws IOException {
        if (option == SerialOption.LINE) {
            line((SerialLine) value);
        } else if (option == SerialOption.READ_TIMING) {
            timing = (ReadTiming) value;
        } else if (option == SerialOption.DTR) {
            port.raise(Tty.TIOCM_DTR, (Boolean) value);
        } else if (option == SerialOption.RTS) {
            port.raise(Tty.TIOCM_RTS, (Boolean) value);
        } else if (option == SerialOption.BREAK) {
            breakFor((Duration) value);
        } else {
            throw new UnsupportedOperationException(
                    option + " of a serial port: cannot be set when it is open");
        }
    }

    private void breakFor(Duration time) throws IOException {
        if (time.isNegative() || time.compareTo(MAX_BREAK) > 0) {
            throw new IllegalArgumentException(
                    "break: " + time + " (expected: PT0S to " + MAX_BREAK + ")");
        }
        if (breakEnd != null) {
            breakEnd.cancel();
            breakEnd = null;
        }
        port.breakCondition(!time.isZero());
        if (!time.isZero()) {
            breakEnd = loop.schedule(this::endBreak, time.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void endBreak() {
        breakEnd = null;
        try {
            port.breakCondition(false);
        } catch (IOException e) {
            // The port is gone, and its reader has been told.
        }
    }

    /// Ends a break that lasts, before the port closes.
    void close() {
        if (breakEnd != null) {
            breakEnd.cancel();
            endBreak();
        }
    }
}
