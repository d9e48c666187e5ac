package io.weft.transport.sctp;

import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.AdaptationEvent;
import io.weft.ffi.SctpLayout.AssocChange;
import io.weft.ffi.SctpLayout.AssocResetEvent;
import io.weft.ffi.SctpLayout.AuthkeyEvent;
import io.weft.ffi.SctpLayout.PaddrChange;
import io.weft.ffi.SctpLayout.PdapiEvent;
import io.weft.ffi.SctpLayout.RemoteError;
import io.weft.ffi.SctpLayout.SendFailed;
import io.weft.ffi.SctpLayout.SenderDryEvent;
import io.weft.ffi.SctpLayout.ShutdownEvent;
import io.weft.ffi.SctpLayout.SndInfo;
import io.weft.ffi.SctpLayout.StreamChangeEvent;
import io.weft.ffi.SctpLayout.StreamResetEvent;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import io.weft.transport.sctp.SctpNotification.AddressState;
import io.weft.transport.sctp.SctpNotification.AssociationState;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads notifications as the kernel writes them.
final class Notifications {
    /// `sn_type`, `sn_flags` and `sn_length`.
    private static final int HEADER = 8;

    private static final int DENIED = 4;
    private static final int FAILED = 8;

    private Notifications() {}

    private static int u16(long at) {
        return Short.toUnsignedInt(Memory.getShort(at));
    }

    /// Reads what was received at `at`, of which `length` bytes are there.
    static SctpNotification read(long at, int length) {
        if (length < HEADER) {
            return new SctpNotification.Unknown(
                    length < 2 ? 0 : u16(at + AssocChange.SAC_TYPE), length);
        }
        int type = u16(at + AssocChange.SAC_TYPE);
        int flags = u16(at + AssocChange.SAC_FLAGS);
        return length < least(type)
                ? new SctpNotification.Unknown(type, length)
                : read(type, flags, at, length);
    }

    /// Returns the length of the fixed part.
    private static int least(int type) {
        return switch (type) {
            case Sctp.SCTP_ASSOC_CHANGE -> AssocChange.SAC_INFO;
            case Sctp.SCTP_PEER_ADDR_CHANGE -> PaddrChange.SIZE;
            case Sctp.SCTP_REMOTE_ERROR -> RemoteError.SRE_DATA;
            case Sctp.SCTP_SEND_FAILED_EVENT -> SendFailed.SSF_DATA;
            case Sctp.SCTP_SHUTDOWN_EVENT -> ShutdownEvent.SIZE;
            case Sctp.SCTP_PARTIAL_DELIVERY_EVENT -> PdapiEvent.SIZE;
            case Sctp.SCTP_ADAPTATION_INDICATION -> AdaptationEvent.SIZE;
            case Sctp.SCTP_AUTHENTICATION_EVENT -> AuthkeyEvent.SIZE;
            case Sctp.SCTP_SENDER_DRY_EVENT -> SenderDryEvent.SIZE;
            case Sctp.SCTP_STREAM_RESET_EVENT -> StreamResetEvent.STRRESET_STREAM_LIST;
            case Sctp.SCTP_ASSOC_RESET_EVENT -> AssocResetEvent.SIZE;
            case Sctp.SCTP_STREAM_CHANGE_EVENT -> StreamChangeEvent.SIZE;
            default -> HEADER;
        };
    }

    private static SctpNotification read(int type, int flags, long at, int length) {
        return switch (type) {
            case Sctp.SCTP_ASSOC_CHANGE ->
                    new SctpNotification.AssociationChange(
                            Memory.getInt(at + AssocChange.SAC_ASSOC_ID),
                            state(AssociationState.values(), u16(at + AssocChange.SAC_STATE)),
                            u16(at + AssocChange.SAC_ERROR),
                            u16(at + AssocChange.SAC_OUTBOUND_STREAMS),
                            u16(at + AssocChange.SAC_INBOUND_STREAMS));
            case Sctp.SCTP_PEER_ADDR_CHANGE ->
                    new SctpNotification.AddressChange(
                            Memory.getInt(at + PaddrChange.SPC_ASSOC_ID),
                            address(at + PaddrChange.SPC_AADDR),
                            state(AddressState.values(), Memory.getInt(at + PaddrChange.SPC_STATE)),
                            Memory.getInt(at + PaddrChange.SPC_ERROR));
            case Sctp.SCTP_REMOTE_ERROR ->
                    new SctpNotification.RemoteError(
                            Memory.getInt(at + RemoteError.SRE_ASSOC_ID),
                            Short.toUnsignedInt(Memory.getShortBE(at + RemoteError.SRE_ERROR)));
            case Sctp.SCTP_SEND_FAILED_EVENT -> sendFailed(flags, at);
            case Sctp.SCTP_SHUTDOWN_EVENT ->
                    new SctpNotification.Shutdown(Memory.getInt(at + ShutdownEvent.SSE_ASSOC_ID));
            case Sctp.SCTP_PARTIAL_DELIVERY_EVENT ->
                    new SctpNotification.PartialDeliveryAborted(
                            Memory.getInt(at + PdapiEvent.PDAPI_ASSOC_ID),
                            Memory.getInt(at + PdapiEvent.PDAPI_STREAM),
                            Memory.getInt(at + PdapiEvent.PDAPI_SEQ));
            case Sctp.SCTP_ADAPTATION_INDICATION ->
                    new SctpNotification.Adaptation(
                            Memory.getInt(at + AdaptationEvent.SAI_ASSOC_ID),
                            Memory.getInt(at + AdaptationEvent.SAI_ADAPTATION_IND));
            case Sctp.SCTP_AUTHENTICATION_EVENT ->
                    new SctpNotification.Authentication(
                            Memory.getInt(at + AuthkeyEvent.AUTH_ASSOC_ID),
                            u16(at + AuthkeyEvent.AUTH_KEYNUMBER),
                            Memory.getInt(at + AuthkeyEvent.AUTH_INDICATION));
            case Sctp.SCTP_SENDER_DRY_EVENT ->
                    new SctpNotification.SenderDry(
                            Memory.getInt(at + SenderDryEvent.SENDER_DRY_ASSOC_ID));
            case Sctp.SCTP_STREAM_RESET_EVENT -> streamReset(flags, at, length);
            case Sctp.SCTP_ASSOC_RESET_EVENT ->
                    new SctpNotification.AssociationReset(
                            Memory.getInt(at + AssocResetEvent.ASSOCRESET_ASSOC_ID),
                            (flags & DENIED) != 0,
                            (flags & FAILED) != 0,
                            Memory.getInt(at + AssocResetEvent.ASSOCRESET_LOCAL_TSN),
                            Memory.getInt(at + AssocResetEvent.ASSOCRESET_REMOTE_TSN));
            case Sctp.SCTP_STREAM_CHANGE_EVENT ->
                    new SctpNotification.StreamChange(
                            Memory.getInt(at + StreamChangeEvent.STRCHANGE_ASSOC_ID),
                            (flags & DENIED) != 0,
                            (flags & FAILED) != 0,
                            u16(at + StreamChangeEvent.STRCHANGE_INSTRMS),
                            u16(at + StreamChangeEvent.STRCHANGE_OUTSTRMS));
            default -> new SctpNotification.Unknown(type, length);
        };
    }

    /// The last constant stands for numbers that are not known.
    private static <E> E state(E[] values, int number) {
        return values[number < 0 || number >= values.length ? values.length - 1 : number];
    }

    private static @Nullable InetSocketAddress address(long at) {
        int family = u16(at);
        return family == Sockets.AF_INET || family == Sockets.AF_INET6 ? SockAddr.read(at) : null;
    }

    private static SctpNotification sendFailed(int flags, long at) {
        // The length is that of the whole, also where less of it was received.
        int whole = Memory.getInt(at + AssocChange.SAC_LENGTH);
        long info = at + SendFailed.SSFE_INFO;
        return new SctpNotification.SendFailed(
                Memory.getInt(at + SendFailed.SSF_ASSOC_ID),
                (flags & 1) != 0, // SCTP_DATA_SENT
                Memory.getInt(at + SendFailed.SSF_ERROR),
                u16(info + SndInfo.SND_SID),
                Memory.getIntBE(info + SndInfo.SND_PPID),
                Math.max(whole - SendFailed.SSF_DATA, 0));
    }

    private static SctpNotification streamReset(int flags, long at, int length) {
        List<Integer> streams = new ArrayList<>();
        int list = StreamResetEvent.STRRESET_STREAM_LIST;
        for (int i = list; i + 2 <= length; i += 2) {
            streams.add(u16(at + i));
        }
        return new SctpNotification.StreamReset(
                Memory.getInt(at + StreamResetEvent.STRRESET_ASSOC_ID),
                (flags & 1) != 0,
                (flags & 2) != 0,
                (flags & DENIED) != 0,
                (flags & FAILED) != 0,
                streams);
    }
}
