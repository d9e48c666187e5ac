package io.weft.engine;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A typed option of a channel. One that a kind of channel, a transport or a system does not have
/// is ignored by a bootstrap, and refused by `Channel.setOption`. One that the kernel refuses fails
/// the bind or connect.
///
/// Options marked *native* are for the io_uring and epoll transports only. A socket option that is
/// not set keeps what the kernel gives it, whatever its default here, but for [#TCP_NODELAY] and,
/// on listeners, [#SO_REUSEADDR].
///
/// @param <T> of its values
public final class ChannelOption<T> {
    // ---- of channels ----

    /// Default 10 s.
    public static final ChannelOption<Duration> CONNECT_TIMEOUT =
            ofChannel("CONNECT_TIMEOUT", Duration.class, Duration.ofSeconds(10));

    /// Time after which a connect by name tries the next address as well if one has not answered;
    /// default 250 ms, at least 10 ms and at most 2 s (RFC 8305, 5 and 8): others are taken for the
    /// nearer of those.
    public static final ChannelOption<Duration> CONNECT_ATTEMPT_DELAY =
            ofChannel("CONNECT_ATTEMPT_DELAY", Duration.class, Duration.ofMillis(250));

    /// Time that a connect by name which has addresses of IPv4 waits for those of IPv6 before it
    /// begins; default 50 ms (RFC 8305, 3). Zero does not wait.
    public static final ChannelOption<Duration> CONNECT_RESOLUTION_DELAY =
            ofChannel("CONNECT_RESOLUTION_DELAY", Duration.class, Duration.ofMillis(50));

    /// Addresses of the first family that a connect by name tries before one of the other; default
    /// 1 (RFC 8305, 4). From there on the families alternate.
    public static final ChannelOption<Integer> CONNECT_FIRST_FAMILY_COUNT =
            ofChannel("CONNECT_FIRST_FAMILY_COUNT", Integer.class, 1);

    /// Time that an orderly close waits for a peer that takes nothing of what was flushed before;
    /// default 10 s.
    public static final ChannelOption<Duration> CLOSE_TIMEOUT =
            ofChannel("CLOSE_TIMEOUT", Duration.class, Duration.ofSeconds(10));

    /// Time that an orderly close waits for the peer's end after it has sent everything, so that
    /// later input does not end it in a reset; default 2 s. Zero closes at once. See
    /// `Channel.close`.
    public static final ChannelOption<Duration> LINGER_TIMEOUT =
            ofChannel("LINGER_TIMEOUT", Duration.class, Duration.ofSeconds(2));

    /// True if a channel reads without being asked; default true.
    public static final ChannelOption<Boolean> AUTO_READ =
            ofChannel("AUTO_READ", Boolean.class, true);

    /// True if a channel goes on to read by itself while it is not writable.
    ///
    /// Default false for a channel that a listener accepted: a peer that sends requests without
    /// taking the answers gets back-pressure. Default true for one that a `Bootstrap` connected: if
    /// both sides stopped, each would wait for the other to read first, a deadlock.
    public static final ChannelOption<Boolean> READ_WHILE_UNWRITABLE =
            ofChannel("READ_WHILE_UNWRITABLE", Boolean.class, false);

    /// True if the channel stays open when the peer closes its sending direction; default false.
    public static final ChannelOption<Boolean> ALLOW_HALF_CLOSURE =
            ofChannel("ALLOW_HALF_CLOSURE", Boolean.class, false);

    /// True if a channel closes by itself when both the peer and the channel have closed their
    /// sending directions; default true.
    public static final ChannelOption<Boolean> CLOSE_WHEN_SHUT =
            ofChannel("CLOSE_WHEN_SHUT", Boolean.class, true);

    /// Default 32 KiB and 64 KiB, with a hard cap of 1 MiB behind them.
    public static final ChannelOption<WriteBufferWaterMark> WRITE_BUFFER_WATER_MARK =
            ofChannel(
                    "WRITE_BUFFER_WATER_MARK",
                    WriteBufferWaterMark.class,
                    new WriteBufferWaterMark(32 << 10, 64 << 10, 1 << 20));

    // ---- of sockets ----

    /// Connections that the kernel queues for a listener; default 4096, cut to `net.core.somaxconn`
    /// by the kernel.
    public static final ChannelOption<Integer> SO_BACKLOG =
            ofChannel("SO_BACKLOG", Integer.class, 4096);

    /// Default true for listeners, so that a restarted server gets its port.
    public static final ChannelOption<Boolean> SO_REUSEADDR = flag("SO_REUSEADDR", true);

    /// Several listeners on one port, among which the kernel spreads connections; default false.
    public static final ChannelOption<Boolean> SO_REUSEPORT = flag("SO_REUSEPORT", false);

    public static final ChannelOption<Boolean> SO_KEEPALIVE = flag("SO_KEEPALIVE", false);

    /// Bytes; 0 leaves the choice to the kernel, which then tunes it by itself. Linux doubles what
    /// is set.
    public static final ChannelOption<Integer> SO_RCVBUF = number("SO_RCVBUF");

    /// Bytes; 0 leaves the choice to the kernel, which then tunes it by itself. Linux doubles what
    /// is set.
    public static final ChannelOption<Integer> SO_SNDBUF = number("SO_SNDBUF");

    /// 0: a close resets; negative: off. A positive number, for which a system's close would wait,
    /// keeps no loop waiting: what was flushed is sent in the background, as when it is off.
    public static final ChannelOption<Integer> SO_LINGER = ofSocket("SO_LINGER", Integer.class, -1);

    /// Datagrams to broadcast addresses may be sent.
    public static final ChannelOption<Boolean> SO_BROADCAST = flag("SO_BROADCAST", false);

    /// Microseconds for which a receive polls the device's queue; native.
    public static final ChannelOption<Integer> SO_BUSY_POLL = number("SO_BUSY_POLL");

    /// The processor whose packets this listener is to get, or got last; native.
    public static final ChannelOption<Integer> SO_INCOMING_CPU = number("SO_INCOMING_CPU");

    /// 0 to 6, more with privileges; native.
    public static final ChannelOption<Integer> SO_PRIORITY = number("SO_PRIORITY");

    /// For routing and filters; native, needs privileges.
    public static final ChannelOption<Integer> SO_MARK = number("SO_MARK");

    // ---- of IP sockets ----

    /// The type-of-service byte, for IPv6 the traffic class.
    public static final ChannelOption<Integer> IP_TOS = number("IP_TOS");

    /// Hops that packets may make, over IPv6 too; native.
    public static final ChannelOption<Integer> IP_TTL = number("IP_TTL");

    /// Addresses that no interface has may be bound; native.
    public static final ChannelOption<Boolean> IP_FREEBIND = flag("IP_FREEBIND", false);

    /// Transparent proxying: foreign addresses may be bound; native, needs privileges.
    public static final ChannelOption<Boolean> IP_TRANSPARENT = flag("IP_TRANSPARENT", false);

    /// Binding to port 0 leaves the choice of a port to the connect; native.
    public static final ChannelOption<Boolean> IP_BIND_ADDRESS_NO_PORT =
            flag("IP_BIND_ADDRESS_NO_PORT", false);

    /// The kernel tells the original destination of each datagram ([Datagram#destination]); native.
    public static final ChannelOption<Boolean> IP_RECVORIGDSTADDR =
            flag("IP_RECVORIGDSTADDR", false);

    /// The interface that multicast datagrams leave by.
    public static final ChannelOption<NetworkInterface> IP_MULTICAST_IF =
            ofSocket("IP_MULTICAST_IF", NetworkInterface.class, null);

    /// Hops that multicast datagrams may make; the kernel's default is 1.
    public static final ChannelOption<Integer> IP_MULTICAST_TTL =
            ofSocket("IP_MULTICAST_TTL", Integer.class, 1);

    /// True if this machine gets the multicast datagrams that it sends; the kernel's default is
    /// true.
    public static final ChannelOption<Boolean> IP_MULTICAST_LOOP = flag("IP_MULTICAST_LOOP", true);

    /// True if datagrams come for groups that others on this machine joined; native. The kernel's
    /// default is true.
    public static final ChannelOption<Boolean> IP_MULTICAST_ALL = flag("IP_MULTICAST_ALL", true);

    // ---- of TCP sockets ----

    /// Default true: handlers decide when to flush, so Nagle's algorithm only delays.
    public static final ChannelOption<Boolean> TCP_NODELAY = flag("TCP_NODELAY", true);

    /// Only full segments are sent; native. `TCP_NOPUSH` on macOS and FreeBSD.
    public static final ChannelOption<Boolean> TCP_CORK = flag("TCP_CORK", false);

    /// Bytes not yet sent, below which the socket counts as writable; native.
    public static final ChannelOption<Integer> TCP_NOTSENT_LOWAT = number("TCP_NOTSENT_LOWAT");

    /// Seconds of silence before the first keep-alive probe.
    public static final ChannelOption<Integer> TCP_KEEPIDLE = number("TCP_KEEPIDLE");

    /// Seconds between keep-alive probes.
    public static final ChannelOption<Integer> TCP_KEEPINTVL = number("TCP_KEEPINTVL");

    /// Keep-alive probes without an answer that end the connection.
    public static final ChannelOption<Integer> TCP_KEEPCNT = number("TCP_KEEPCNT");

    /// Milliseconds that sent bytes may stay unacknowledged before the connection ends; native.
    public static final ChannelOption<Integer> TCP_USER_TIMEOUT = number("TCP_USER_TIMEOUT");

    /// Seconds that a listener waits for the first bytes of a connection before it hands it over;
    /// native. The kernel rounds to its retransmissions.
    public static final ChannelOption<Integer> TCP_DEFER_ACCEPT = number("TCP_DEFER_ACCEPT");

    /// The name of the filter that connections of a listener pass before they are accepted on
    /// FreeBSD, `dataready` or `httpready` (`accf_data(9)`, `accf_http(9)`); default empty, none.
    /// Other systems pass it over.
    public static final ChannelOption<String> SO_ACCEPTFILTER =
            ofChannel("SO_ACCEPTFILTER", String.class, "");

    /// True if acknowledgements are sent at once. Not permanent: the kernel may go back.
    public static final ChannelOption<Boolean> TCP_QUICKACK = flag("TCP_QUICKACK", true);

    /// The name of the congestion control algorithm: `cubic`; native.
    public static final ChannelOption<String> TCP_CONGESTION =
            ofSocket("TCP_CONGESTION", String.class, "");

    /// TCP Fast Open (RFC 7413) of a listener: requests that may wait to be verified; native.
    public static final ChannelOption<Integer> TCP_FASTOPEN = number("TCP_FASTOPEN");

    /// TCP Fast Open of a client: the connect is put off to the first send, and its bytes ride
    /// along; native.
    public static final ChannelOption<Boolean> TCP_FASTOPEN_CONNECT =
            flag("TCP_FASTOPEN_CONNECT", false);

    /// Keys of 1 to 80 bytes for peers whose segments must be signed (RFC 2385); native, cannot be
    /// read.
    @SuppressWarnings("unchecked") // a class literal has no arguments
    public static final ChannelOption<Map<InetAddress, byte[]>> TCP_MD5SIG =
            ofSocket(
                    "TCP_MD5SIG", (Class<Map<InetAddress, byte[]>>) (Class<?>) Map.class, Map.of());

    /// State that the kernel keeps of a connection; native, can only be read.
    public static final ChannelOption<TcpInfo> TCP_INFO = ofSocket("TCP_INFO", TcpInfo.class, null);

    // ---- of UDP sockets ----

    /// The largest datagram that is received whole, in bytes; default 2048. Longer ones are cut.
    public static final ChannelOption<Integer> MAX_DATAGRAM_SIZE =
            ofChannel("MAX_DATAGRAM_SIZE", Integer.class, 2048);

    /// Generic segmentation offload: what is sent is cut into datagrams of that many bytes; native.
    public static final ChannelOption<Integer> UDP_SEGMENT = number("UDP_SEGMENT");

    /// Generic receive offload: the kernel may hand over several datagrams of one sender at once,
    /// which the channel takes apart again; native.
    public static final ChannelOption<Boolean> UDP_GRO = flag("UDP_GRO", false);

    // ---- of Unix domain sockets ----

    /// Credentials of the peer; native, can only be read.
    public static final ChannelOption<PeerCredentials> SO_PEERCRED =
            ofSocket("SO_PEERCRED", PeerCredentials.class, null);

    /// True if a channel takes descriptors that its peer passes (`SCM_RIGHTS`), and reads them as a
    /// [DescriptorMessage]; native. To be set before the channel connects or is accepted. Default
    /// false: the kernel closes them.
    public static final ChannelOption<Boolean> RECEIVE_DESCRIPTORS =
            ofChannel("RECEIVE_DESCRIPTORS", Boolean.class, false);

    private final String name;
    private final Class<T> type;
    private final @Nullable T defaultValue;
    private final boolean ofSocket;
    private final @Nullable RawOption raw;
    private final @Nullable SocketOption<T> jdk;

    private ChannelOption(
            String name,
            Class<T> type,
            @Nullable T defaultValue,
            boolean ofSocket,
            @Nullable RawOption raw) {
        this(name, type, defaultValue, ofSocket, raw, null);
    }

    private ChannelOption(
            String name,
            Class<T> type,
            @Nullable T defaultValue,
            boolean ofSocket,
            @Nullable RawOption raw,
            @Nullable SocketOption<T> jdk) {
        this.name = Objects.requireNonNull(name, "name");
        this.type = type;
        this.defaultValue = defaultValue;
        this.ofSocket = ofSocket;
        this.raw = raw;
        this.jdk = jdk;
    }

    private static <T> ChannelOption<T> ofChannel(String name, Class<T> type, T defaultValue) {
        return new ChannelOption<>(name, type, defaultValue, false, null);
    }

    private static <T> ChannelOption<T> ofSocket(
            String name, Class<T> type, @Nullable T defaultValue) {
        return new ChannelOption<>(name, type, defaultValue, true, null);
    }

    private static ChannelOption<Boolean> flag(String name, boolean defaultValue) {
        return ofSocket(name, Boolean.class, defaultValue);
    }

    private static ChannelOption<Integer> number(String name) {
        return ofSocket(name, Integer.class, 0);
    }

    /// An option that is not listed here, whose value is an `int`; native. To be kept in a
    /// constant: two options are the same only if they are the same object.
    ///
    /// @param name for messages
    /// @param level as `setsockopt` takes it: 1 is `SOL_SOCKET`
    /// @param number as `setsockopt` takes it
    public static ChannelOption<Integer> ofInt(String name, int level, int number) {
        return new ChannelOption<>(
                name, Integer.class, 0, true, new RawOption(level, number, Integer.BYTES));
    }

    /// As [#ofInt], with a structure for a value.
    ///
    /// @param length of the values that are read, in bytes
    public static ChannelOption<byte[]> ofBytes(String name, int level, int number, int length) {
        return new ChannelOption<>(
                name, byte[].class, null, true, new RawOption(level, number, length));
    }

    /// An option that an [EndpointProvider] has for its own streams, whose [StreamHandle] gets and
    /// sets it. To be kept in a constant, as [#ofInt]. Other channels take it for one that they do
    /// not have.
    ///
    /// @param defaultValue null where only the stream knows
    public static <T> ChannelOption<T> ofEndpoint(
            String name, Class<T> type, @Nullable T defaultValue) {
        return ofSocket(name, type, defaultValue);
    }

    /// Any option of the JDK's channels, standard, extended or a vendor's own; for the NIO
    /// transport only. To be kept in a constant, as [#ofInt].
    public static <T> ChannelOption<T> of(SocketOption<T> option) {
        return new ChannelOption<>(option.name(), option.type(), null, true, null, option);
    }

    public String name() {
        return name;
    }

    /// @throws IllegalStateException when only the kernel knows
    public T defaultValue() {
        if (defaultValue == null) {
            throw new IllegalStateException(name + ": has no default (expected: a value was set)");
        }
        return defaultValue;
    }

    /// Tells if this is an option of the socket, and not of the channel alone.
    public boolean isOfSocket() {
        return ofSocket;
    }

    /// Returns the kernel's level and name of an option that is not listed here; null for the
    /// others.
    public @Nullable RawOption raw() {
        return raw;
    }

    /// Returns the JDK's name of an option that is not listed here; null for the others.
    public @Nullable SocketOption<T> jdk() {
        return jdk;
    }

    /// Tells if values are numbers.
    public boolean isInt() {
        return type == Integer.class;
    }

    T cast(Object value) {
        return type.cast(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
