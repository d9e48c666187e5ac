package io.weft.examples;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Set;

/// Options of every example: `--host H --port N --transport auto|io_uring|epoll|nio --loops N`, and
/// `--tls`, which those that cannot do it refuse. Plain servers take the transports `udt` and
/// `sctp` too, streams of those, and `serial`: what they would do for a connection, they do at the
/// port of `--device`. [Taken] has who takes what.
/// The engine `kqueue` is for macOS and FreeBSD, and takes a library elsewhere (docs/kqueue.md).
///
/// @param host loopback unless said otherwise, so that trying an example opens nothing to the
///     network
/// @param tls whether to serve TLS, with a certificate that is made for the run
/// @param device path of a serial port; empty but for the transport `serial`
public record Options(
        InetAddress host, int port, String transport, int loops, boolean tls, String device) {
    private static final Set<String> WITH_VALUES =
            Set.of("--host", "--port", "--transport", "--device", "--loops");

    public Options(InetAddress host, int port, String transport, int loops, boolean tls) {
        this(host, port, transport, loops, tls, "");
    }

    public Options(InetAddress host, int port, String transport, int loops) {
        this(host, port, transport, loops, false);
    }

    /// Reads the options of an example that takes all of them.
    ///
    /// @throws IllegalArgumentException as [#parse(Taken, int, String...)]
    public static Options parse(int defaultPort, String... args) {
        return parse(Taken.STREAMS, defaultPort, args);
    }

    /// Reads options. `--tls` is refused with a reason, by [#plain].
    ///
    /// @throws IllegalArgumentException with one line that says what is wrong and what is expected
    public static Options parse(Taken taken, int defaultPort, String... args) {
        Options options =
                new Options(
                        InetAddress.getLoopbackAddress(),
                        defaultPort,
                        "auto",
                        Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < args.length; i += 2) {
            if (args[i].equals("--tls")) {
                options = options.withTls();
                i--;
                continue;
            }
            if (i + 1 == args.length && WITH_VALUES.contains(args[i])) {
                throw new IllegalArgumentException(
                        args[i] + ": no value (expected: " + taken.usage() + ")");
            }
            options =
                    switch (args[i]) {
                        case "--host" -> options.withHost(args[i + 1]);
                        case "--port" -> options.withPort(number(args[i], args[i + 1], 0, 65_535));
                        case "--transport" -> options.withTransport(taken, args[i + 1]);
                        case "--device" -> options.withDevice(taken, args[i + 1]);
                        case "--loops" -> options.withLoops(number(args[i], args[i + 1], 1, 1024));
                        default -> throw unknown(args[i], taken);
                    };
        }
        if (options.transport.equals("serial") == options.device.isEmpty()) {
            throw new IllegalArgumentException(
                    "--transport: "
                            + options.transport
                            + " with --device '"
                            + options.device
                            + "' (expected: serial with a device, or neither)");
        }
        return options;
    }

    private static IllegalArgumentException unknown(String option, Taken taken) {
        return new IllegalArgumentException(
                option + ": unknown option (expected: " + taken.usage() + ")");
    }

    /// @throws IllegalArgumentException unless `value` is a number from `min` to `max`
    static int number(String option, String value, int min, int max) {
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(
                option + ": " + value + " (expected: a number from " + min + " to " + max + ")");
    }

    private Options withHost(String name) {
        try {
            return new Options(InetAddress.getByName(name), port, transport, loops, tls, device);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "--host: " + name + " (expected: a name or address that resolves)", e);
        }
    }

    private Options withPort(int number) {
        return new Options(host, number, transport, loops, tls, device);
    }

    private Options withTransport(Taken taken, String name) {
        if (!taken.transports().contains(name)) {
            throw new IllegalArgumentException(
                    "--transport: " + name + " (expected: one of " + taken.transports() + ")");
        }
        return new Options(host, port, name, loops, tls, device);
    }

    private Options withDevice(Taken taken, String path) {
        if (!taken.hasDevice()) {
            throw unknown("--device", taken);
        }
        return new Options(host, port, transport, loops, tls, path);
    }

    private Options withLoops(int count) {
        return new Options(host, port, transport, count, tls, device);
    }

    public Options withTls() {
        return new Options(host, port, transport, loops, true, device);
    }

    /// Returns these options for a server whose handlers see to TLS themselves.
    public Options withoutTls() {
        return new Options(host, port, transport, loops, false, device);
    }

    /// Returns these options, of an example that does not speak TLS.
    ///
    /// @param why it does not
    /// @throws IllegalArgumentException when they ask for it
    public Options plain(String why) {
        if (tls) {
            throw new IllegalArgumentException("--tls: " + why + " (expected: no --tls)");
        }
        return this;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }
}
