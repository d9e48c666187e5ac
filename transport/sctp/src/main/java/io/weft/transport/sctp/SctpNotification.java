package io.weft.transport.sctp;

import io.weft.ffi.Sctp;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Events of an association, as RFC 6458, 6.1 has them. Channels fire them as user events
/// ([io.weft.channel.ChannelHandler#userEventTriggered]), of the kinds that
/// [SctpOption#NOTIFICATIONS] names.
public sealed interface SctpNotification {
    /// Returns the kernel's id of the association; 0 if it is not known.
    int association();

    /// Kinds of notifications that can be asked for.
    enum Kind {
        ASSOCIATION(Sctp.SCTP_ASSOC_CHANGE),
        ADDRESS(Sctp.SCTP_PEER_ADDR_CHANGE),
        REMOTE_ERROR(Sctp.SCTP_REMOTE_ERROR),
        SEND_FAILED(Sctp.SCTP_SEND_FAILED_EVENT),
        SHUTDOWN(Sctp.SCTP_SHUTDOWN_EVENT),
        PARTIAL_DELIVERY(Sctp.SCTP_PARTIAL_DELIVERY_EVENT),
        ADAPTATION(Sctp.SCTP_ADAPTATION_INDICATION),
        AUTHENTICATION(Sctp.SCTP_AUTHENTICATION_EVENT),
        SENDER_DRY(Sctp.SCTP_SENDER_DRY_EVENT),
        STREAM_RESET(Sctp.SCTP_STREAM_RESET_EVENT),
        ASSOCIATION_RESET(Sctp.SCTP_ASSOC_RESET_EVENT),
        STREAM_CHANGE(Sctp.SCTP_STREAM_CHANGE_EVENT);

        /// All kinds but those for what a program has to turn on first, and [#SENDER_DRY], which is
        /// told again and again.
        public static final Set<Kind> USUAL =
                Set.copyOf(EnumSet.range(ASSOCIATION, PARTIAL_DELIVERY));

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /// Returns the kernel's number.
        public int number() {
            return number;
        }
    }

    /// States of an association; the ordinals are the kernel's numbers.
    enum AssociationState {
        UP,
        LOST,
        RESTARTED,
        SHUT_DOWN,
        NOT_STARTED,
        UNKNOWN
    }

    /// States of an address; the ordinals are the kernel's numbers.
    enum AddressState {
        AVAILABLE,
        UNREACHABLE,
        REMOVED,
        ADDED,
        MADE_PRIMARY,
        CONFIRMED,
        POTENTIALLY_FAILED,
        UNKNOWN
    }

    /// An association began or ended.
    ///
    /// @param error a cause code of RFC 9260, 3.3.10; 0: none
    /// @param outboundStreams streams to the peer
    /// @param inboundStreams streams from the peer
    record AssociationChange(
            int association,
            AssociationState state,
            int error,
            int outboundStreams,
            int inboundStreams)
            implements SctpNotification {}

    /// An address of a peer changed its state.
    ///
    /// @param address null where it is of no known family
    record AddressChange(
            int association, @Nullable InetSocketAddress address, AddressState state, int error)
            implements SctpNotification {}

    /// The peer reported an error.
    ///
    /// @param error a cause code of RFC 9260, 3.3.10
    record RemoteError(int association, int error) implements SctpNotification {}

    /// A message could not be delivered.
    ///
    /// @param sent true if it was sent, so that the peer may have got it
    /// @param bytes of the message that was not delivered
    record SendFailed(
            int association, boolean sent, int error, int stream, int protocolId, int bytes)
            implements SctpNotification {}

    /// The peer has begun to shut the association down, and takes nothing more.
    record Shutdown(int association) implements SctpNotification {}

    /// The rest of a message that was delivered partially will not come.
    record PartialDeliveryAborted(int association, int stream, int sequence)
            implements SctpNotification {}

    /// The peer's adaptation layer told its number.
    record Adaptation(int association, int indication) implements SctpNotification {}

    /// A key of the association changed its state.
    record Authentication(int association, int key, int indication) implements SctpNotification {}

    /// Everything that was sent has been acknowledged.
    record SenderDry(int association) implements SctpNotification {}

    /// Streams were reset (RFC 6525).
    ///
    /// @param streams empty: all of them
    record StreamReset(
            int association,
            boolean incoming,
            boolean outgoing,
            boolean denied,
            boolean failed,
            List<Integer> streams)
            implements SctpNotification {
        /// Copies the list.
        public StreamReset {
            streams = List.copyOf(streams);
        }
    }

    /// The association's sequence numbers were reset (RFC 6525).
    record AssociationReset(
            int association, boolean denied, boolean failed, int localTsn, int remoteTsn)
            implements SctpNotification {}

    /// Streams were added (RFC 6525).
    ///
    /// @param inbound streams now
    /// @param outbound streams now
    record StreamChange(int association, boolean denied, boolean failed, int inbound, int outbound)
            implements SctpNotification {}

    /// A notification that this version does not know, or that is too short for its type.
    record Unknown(int type, int length) implements SctpNotification {
        @Override
        public int association() {
            return 0;
        }
    }
}
