package io.weft.transport.sctp;

import io.weft.engine.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Options of SCTP's channels; RFC 6458, 8 has each by the name that is given here. One that is not
/// set keeps what the kernel gives it, but for [#NODELAY].
///
/// Those of sockets apply too: `SO_SNDBUF`, which bounds a message, `SO_RCVBUF`, `SO_LINGER`,
/// `IP_TOS`. Options that are not listed are set by [ChannelOption#ofInt] and
/// [ChannelOption#ofBytes] with level 132.
public final class SctpOption {
    // ---- of the channel ----

    /// Kinds of notifications that become user events; default [SctpNotification.Kind#USUAL].
    @SuppressWarnings("unchecked") // a class literal has no arguments
    public static final ChannelOption<Set<SctpNotification.Kind>> NOTIFICATIONS =
            ChannelOption.ofEndpoint(
                    "SCTP_EVENT",
                    (Class<Set<SctpNotification.Kind>>) (Class<?>) Set.class,
                    SctpNotification.Kind.USUAL);

    /// Bytes that are received at once, 256 to 262144; default 16384. Longer messages come in
    /// pieces. To be set before the channel is made.
    public static final ChannelOption<Integer> RECEIVE_SIZE =
            ChannelOption.ofEndpoint("SCTP_RECEIVE_SIZE", Integer.class, 16 << 10);

    // ---- of addresses ----

    /// Addresses of this side. Setting them binds those that are new and unbinds those that are
    /// missing (`sctp_bindx`); of an association that exists, the peer is told if both sides have
    /// [#ASCONF_SUPPORTED].
    @SuppressWarnings("unchecked") // a class literal has no arguments
    public static final ChannelOption<List<InetSocketAddress>> LOCAL_ADDRESSES =
            ChannelOption.ofEndpoint(
                    "SCTP_LOCAL_ADDRESSES",
                    (Class<List<InetSocketAddress>>) (Class<?>) List.class,
                    null);

    /// Addresses of the peer; can only be read.
    @SuppressWarnings("unchecked") // a class literal has no arguments
    public static final ChannelOption<List<InetSocketAddress>> PEER_ADDRESSES =
            ChannelOption.ofEndpoint(
                    "SCTP_PEER_ADDRESSES",
                    (Class<List<InetSocketAddress>>) (Class<?>) List.class,
                    null);

    /// The peer's address that packets are sent to.
    public static final ChannelOption<InetSocketAddress> PRIMARY_ADDRESS =
            ChannelOption.ofEndpoint("SCTP_PRIMARY_ADDR", InetSocketAddress.class, null);

    /// The address of this side that the peer is asked to send to; can only be set.
    public static final ChannelOption<InetSocketAddress> PEER_PRIMARY_ADDRESS =
            ChannelOption.ofEndpoint("SCTP_SET_PEER_PRIMARY_ADDR", InetSocketAddress.class, null);

    // ---- of associations ----

    public static final ChannelOption<SctpInit> INIT =
            ChannelOption.ofEndpoint("SCTP_INITMSG", SctpInit.class, SctpInit.DEFAULT);

    /// State of the association; can only be read, where there is one.
    public static final ChannelOption<SctpStatus> STATUS =
            ChannelOption.ofEndpoint("SCTP_STATUS", SctpStatus.class, null);

    public static final ChannelOption<SctpRetransmission> RETRANSMISSION =
            ChannelOption.ofEndpoint("SCTP_RTOINFO", SctpRetransmission.class, null);

    /// Retransmissions in a row after which the association is given up.
    public static final ChannelOption<Integer> MAX_RETRANSMISSIONS = number("SCTP_ASSOCINFO");

    public static final ChannelOption<SctpPath> PATH =
            ChannelOption.ofEndpoint("SCTP_PEER_ADDR_PARAMS", SctpPath.class, null);

    public static final ChannelOption<SctpDelayedAck> DELAYED_ACK =
            ChannelOption.ofEndpoint("SCTP_DELAYED_SACK", SctpDelayedAck.class, null);

    /// Time after which an idle association is shut down, of [SctpMode#ASSOCIATIONS]; whole
    /// seconds, zero: never.
    public static final ChannelOption<Duration> AUTOCLOSE =
            ChannelOption.ofEndpoint("SCTP_AUTOCLOSE", Duration.class, Duration.ZERO);

    /// Shuts down the association of that id in order, of [SctpMode#ASSOCIATIONS]; can only be set.
    public static final ChannelOption<Integer> SHUTDOWN = number("SCTP_EOF");

    /// Aborts the association of that id, of [SctpMode#ASSOCIATIONS]; can only be set.
    public static final ChannelOption<Integer> ABORT = number("SCTP_ABORT");

    // ---- of messages ----

    /// True if small messages are sent at once; default true.
    public static final ChannelOption<Boolean> NODELAY = flag("SCTP_NODELAY", true);

    /// True if messages that need more than a packet fail; default false.
    public static final ChannelOption<Boolean> DISABLE_FRAGMENTS =
            flag("SCTP_DISABLE_FRAGMENTS", false);

    /// Bytes of a packet's part of a message at most; 0: as the path allows.
    public static final ChannelOption<Integer> MAX_SEGMENT = number("SCTP_MAXSEG");

    /// Bytes of a message that have come after which it is delivered partially.
    public static final ChannelOption<Integer> PARTIAL_DELIVERY_POINT =
            number("SCTP_PARTIAL_DELIVERY_POINT");

    /// 0: a message that is delivered partially is not interrupted; 1: by those of other
    /// associations; 2: by those of other streams too.
    public static final ChannelOption<Integer> FRAGMENT_INTERLEAVE =
            number("SCTP_FRAGMENT_INTERLEAVE");

    /// Packets that may be sent in a burst.
    public static final ChannelOption<Integer> MAX_BURST = number("SCTP_MAX_BURST");

    /// Order in which streams are sent: 0 first come, 1 round robin, 2 by priority.
    public static final ChannelOption<Integer> STREAM_SCHEDULER = number("SCTP_STREAM_SCHEDULER");

    /// The number that is told to the peer's adaptation layer.
    public static final ChannelOption<Integer> ADAPTATION = number("SCTP_ADAPTATION_LAYER");

    // ---- of extensions ----

    /// Partial reliability (RFC 3758).
    public static final ChannelOption<Boolean> PARTIAL_RELIABILITY =
            flag("SCTP_PR_SUPPORTED", true);

    /// Address reconfiguration (RFC 5061).
    public static final ChannelOption<Boolean> ASCONF_SUPPORTED =
            flag("SCTP_ASCONF_SUPPORTED", false);

    /// Authentication of chunks (RFC 4895).
    public static final ChannelOption<Boolean> AUTH_SUPPORTED = flag("SCTP_AUTH_SUPPORTED", false);

    /// Explicit congestion notification.
    public static final ChannelOption<Boolean> ECN_SUPPORTED = flag("SCTP_ECN_SUPPORTED", true);

    /// Interleaving of messages (RFC 8260).
    public static final ChannelOption<Boolean> INTERLEAVING_SUPPORTED =
            flag("SCTP_INTERLEAVING_SUPPORTED", false);

    /// Reconfiguration of streams (RFC 6525).
    public static final ChannelOption<Boolean> RECONFIG_SUPPORTED =
            flag("SCTP_RECONFIG_SUPPORTED", false);

    /// Requests that are allowed: a sum of 1 (reset streams), 2 (reset the association) and 4 (add
    /// streams).
    public static final ChannelOption<Integer> ENABLE_STREAM_RESET =
            number("SCTP_ENABLE_STREAM_RESET");

    /// Can only be set: starts to reset streams.
    public static final ChannelOption<SctpStreamReset> RESET_STREAMS =
            ChannelOption.ofEndpoint("SCTP_RESET_STREAMS", SctpStreamReset.class, null);

    /// Can only be set: starts to add streams.
    public static final ChannelOption<SctpStreams> ADD_STREAMS =
            ChannelOption.ofEndpoint("SCTP_ADD_STREAMS", SctpStreams.class, null);

    /// The socket of a channel, which associations are peeled off.
    static final ChannelOption<SctpSocket> SOCKET =
            ChannelOption.ofEndpoint("SCTP_SOCKET", SctpSocket.class, null);

    private SctpOption() {}

    private static ChannelOption<Boolean> flag(String name, boolean defaultValue) {
        return ChannelOption.ofEndpoint(name, Boolean.class, defaultValue);
    }

    private static ChannelOption<Integer> number(String name) {
        return ChannelOption.ofEndpoint(name, Integer.class, null);
    }

    static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    static void checkTime(String name, Duration time) {
        if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(name + ": " + time + " (expected: up to a day)");
        }
    }
}
