package io.weft.transport.serial;

import io.weft.engine.ChannelOption;
import java.time.Duration;

/// Options of channels at a [SerialAddress]; given to a bootstrap, or set on the open channel.
///
/// Other options that matter here are `CLOSE_TIMEOUT`, which also bounds how long the port may take
/// to send what it was given before a close, and those of every channel.
public final class SerialOption {
    /// Speed, frame and flow control; default [SerialLine#DEFAULT]. On an open channel a change
    /// holds from the next character on, also for bytes that were written and not sent yet.
    public static final ChannelOption<SerialLine> LINE =
            ChannelOption.ofEndpoint("LINE", SerialLine.class, SerialLine.DEFAULT);

    /// The moment at which bytes are read; default [ReadTiming#AT_ONCE].
    public static final ChannelOption<ReadTiming> READ_TIMING =
            ChannelOption.ofEndpoint("READ_TIMING", ReadTiming.class, ReadTiming.AT_ONCE);

    /// True if no other program is to open the port meanwhile: it is locked (`flock`), and marked
    /// for exclusive use (`TIOCEXCL`), which root passes by. If another has locked it, connecting
    /// fails. Default true; only for connecting.
    public static final ChannelOption<Boolean> EXCLUSIVE =
            ChannelOption.ofEndpoint("EXCLUSIVE", Boolean.class, true);

    /// True if the modem line DCD is obeyed: without a carrier the port is hung up, which ends the
    /// channel. Default false, as most cables lack that line.
    public static final ChannelOption<Boolean> CARRIER =
            ChannelOption.ofEndpoint("CARRIER", Boolean.class, false);

    /// True if closing drops DTR and RTS, by which a modem hangs up; default true.
    public static final ChannelOption<Boolean> HANG_UP_AT_CLOSE =
            ChannelOption.ofEndpoint("HANG_UP_AT_CLOSE", Boolean.class, true);

    /// The line data terminal ready. If it is not set, the driver raises it when the port opens;
    /// for a moment it does so too if this is false.
    public static final ChannelOption<Boolean> DTR =
            ChannelOption.ofEndpoint("DTR", Boolean.class, true);

    /// The line request to send, as [#DTR]. With [SerialLine.FlowControl#RTS_CTS] it is the
    /// driver's.
    public static final ChannelOption<Boolean> RTS =
            ChannelOption.ofEndpoint("RTS", Boolean.class, true);

    /// State of the modem lines; can only be read, and asks the port each time.
    public static final ChannelOption<ModemLines> MODEM_LINES =
            ChannelOption.ofEndpoint("MODEM_LINES", ModemLines.class, null);

    /// Break condition: the line is held at its other level for as long as this is set, 1 ms to
    /// 60 s, while bytes that were written wait in the port or are spoilt; can only be set, on an
    /// open channel. A new one replaces one that lasts; zero ends it. A peer reads a break as a
    /// zero byte.
    public static final ChannelOption<Duration> BREAK =
            ChannelOption.ofEndpoint("BREAK", Duration.class, null);

    private SerialOption() {}
}
