package io.weft.ffi;

/// Offsets in the structures of SCTP on Linux (`linux/sctp.h`), one class a structure.
public final class SctpLayout {
    private SctpLayout() {}

    /// The value of `SCTP_INITMSG`.
    /// Offsets in `struct sctp_initmsg`.
    public static final class InitMsg {
        public static final int SIZE = 8;
        public static final int SINIT_NUM_OSTREAMS = 0;
        public static final int SINIT_MAX_INSTREAMS = 2;
        public static final int SINIT_MAX_ATTEMPTS = 4;
        public static final int SINIT_MAX_INIT_TIMEO = 6;

        private InitMsg() {}
    }

    /// Ancillary data of a message that is sent.
    /// Offsets in `struct sctp_sndinfo`.
    public static final class SndInfo {
        public static final int SIZE = 16;
        public static final int SND_SID = 0;
        public static final int SND_FLAGS = 2;
        public static final int SND_PPID = 4;
        public static final int SND_CONTEXT = 8;
        public static final int SND_ASSOC_ID = 12;

        private SndInfo() {}
    }

    /// Ancillary data of a message that was received.
    /// Offsets in `struct sctp_rcvinfo`.
    public static final class RcvInfo {
        public static final int SIZE = 28;
        public static final int RCV_SID = 0;
        public static final int RCV_SSN = 2;
        public static final int RCV_FLAGS = 4;
        public static final int RCV_PPID = 8;
        public static final int RCV_TSN = 12;
        public static final int RCV_CUMTSN = 16;
        public static final int RCV_CONTEXT = 20;
        public static final int RCV_ASSOC_ID = 24;

        private RcvInfo() {}
    }

    /// The time or count after which a message is given up: ancillary data.
    /// Offsets in `struct sctp_prinfo`.
    public static final class PrInfo {
        public static final int SIZE = 8;
        public static final int PR_POLICY = 0;
        public static final int PR_VALUE = 4;

        private PrInfo() {}
    }

    /// The value of `SCTP_EVENT`.
    /// Offsets in `struct sctp_event`.
    public static final class Event {
        public static final int SIZE = 8;
        public static final int SE_ASSOC_ID = 0;
        public static final int SE_TYPE = 4;
        public static final int SE_ON = 6;

        private Event() {}
    }

    /// A notification. All have the type, flags and length at the same offsets.
    /// Offsets in `struct sctp_assoc_change`.
    public static final class AssocChange {
        public static final int SIZE = 20;
        public static final int SAC_TYPE = 0;
        public static final int SAC_FLAGS = 2;
        public static final int SAC_LENGTH = 4;
        public static final int SAC_STATE = 8;
        public static final int SAC_ERROR = 10;
        public static final int SAC_OUTBOUND_STREAMS = 12;
        public static final int SAC_INBOUND_STREAMS = 14;
        public static final int SAC_ASSOC_ID = 16;
        public static final int SAC_INFO = 20;

        private AssocChange() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_paddr_change`.
    public static final class PaddrChange {
        public static final int SIZE = 148;
        public static final int SPC_AADDR = 8;
        public static final int SPC_STATE = 136;
        public static final int SPC_ERROR = 140;
        public static final int SPC_ASSOC_ID = 144;

        private PaddrChange() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_remote_error`.
    public static final class RemoteError {
        public static final int SIZE = 16;
        public static final int SRE_ERROR = 8;
        public static final int SRE_ASSOC_ID = 12;
        public static final int SRE_DATA = 16;

        private RemoteError() {}
    }

    /// A notification: `SCTP_SEND_FAILED_EVENT`.
    /// Offsets in `struct sctp_send_failed_event`.
    public static final class SendFailed {
        public static final int SIZE = 32;
        public static final int SSF_ERROR = 8;
        public static final int SSFE_INFO = 12;
        public static final int SSF_ASSOC_ID = 28;
        public static final int SSF_DATA = 32;

        private SendFailed() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_shutdown_event`.
    public static final class ShutdownEvent {
        public static final int SIZE = 12;
        public static final int SSE_ASSOC_ID = 8;

        private ShutdownEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_adaptation_event`.
    public static final class AdaptationEvent {
        public static final int SIZE = 16;
        public static final int SAI_ADAPTATION_IND = 8;
        public static final int SAI_ASSOC_ID = 12;

        private AdaptationEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_pdapi_event`.
    public static final class PdapiEvent {
        public static final int SIZE = 24;
        public static final int PDAPI_INDICATION = 8;
        public static final int PDAPI_ASSOC_ID = 12;
        public static final int PDAPI_STREAM = 16;
        public static final int PDAPI_SEQ = 20;

        private PdapiEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_authkey_event`.
    public static final class AuthkeyEvent {
        public static final int SIZE = 20;
        public static final int AUTH_KEYNUMBER = 8;
        public static final int AUTH_INDICATION = 12;
        public static final int AUTH_ASSOC_ID = 16;

        private AuthkeyEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_sender_dry_event`.
    public static final class SenderDryEvent {
        public static final int SIZE = 12;
        public static final int SENDER_DRY_ASSOC_ID = 8;

        private SenderDryEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_stream_reset_event`.
    public static final class StreamResetEvent {
        public static final int SIZE = 12;
        public static final int STRRESET_ASSOC_ID = 8;
        public static final int STRRESET_STREAM_LIST = 12;

        private StreamResetEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_assoc_reset_event`.
    public static final class AssocResetEvent {
        public static final int SIZE = 20;
        public static final int ASSOCRESET_ASSOC_ID = 8;
        public static final int ASSOCRESET_LOCAL_TSN = 12;
        public static final int ASSOCRESET_REMOTE_TSN = 16;

        private AssocResetEvent() {}
    }

    /// A notification.
    /// Offsets in `struct sctp_stream_change_event`.
    public static final class StreamChangeEvent {
        public static final int SIZE = 16;
        public static final int STRCHANGE_ASSOC_ID = 8;
        public static final int STRCHANGE_INSTRMS = 12;
        public static final int STRCHANGE_OUTSTRMS = 14;

        private StreamChangeEvent() {}
    }

    /// The value of `SCTP_RTOINFO`.
    /// Offsets in `struct sctp_rtoinfo`.
    public static final class RtoInfo {
        public static final int SIZE = 16;
        public static final int SRTO_ASSOC_ID = 0;
        public static final int SRTO_INITIAL = 4;
        public static final int SRTO_MAX = 8;
        public static final int SRTO_MIN = 12;

        private RtoInfo() {}
    }

    /// The value of `SCTP_ASSOCINFO`.
    /// Offsets in `struct sctp_assocparams`.
    public static final class AssocParams {
        public static final int SIZE = 20;
        public static final int SASOC_ASSOC_ID = 0;
        public static final int SASOC_ASOCMAXRXT = 4;
        public static final int SASOC_NUMBER_PEER_DESTINATIONS = 6;
        public static final int SASOC_PEER_RWND = 8;
        public static final int SASOC_LOCAL_RWND = 12;
        public static final int SASOC_COOKIE_LIFE = 16;

        private AssocParams() {}
    }

    /// The value of `SCTP_PRIMARY_ADDR`, and of `SCTP_SET_PEER_PRIMARY_ADDR`.
    /// Offsets in `struct sctp_prim`.
    public static final class Prim {
        public static final int SIZE = 132;
        public static final int SSP_ASSOC_ID = 0;
        public static final int SSP_ADDR = 4;

        private Prim() {}
    }

    /// The value of `SCTP_PEER_ADDR_PARAMS`.
    /// Offsets in `struct sctp_paddrparams`.
    public static final class PaddrParams {
        public static final int SIZE = 156;
        public static final int SPP_ASSOC_ID = 0;
        public static final int SPP_ADDRESS = 4;
        public static final int SPP_HBINTERVAL = 132;
        public static final int SPP_PATHMAXRXT = 136;
        public static final int SPP_PATHMTU = 138;
        public static final int SPP_SACKDELAY = 142;
        public static final int SPP_FLAGS = 146;

        private PaddrParams() {}
    }

    /// The value of `SCTP_DELAYED_SACK`.
    /// Offsets in `struct sctp_sack_info`.
    public static final class SackInfo {
        public static final int SIZE = 12;
        public static final int SACK_ASSOC_ID = 0;
        public static final int SACK_DELAY = 4;
        public static final int SACK_FREQ = 8;

        private SackInfo() {}
    }

    /// The value of many options: an association and a number.
    /// Offsets in `struct sctp_assoc_value`.
    public static final class AssocValue {
        public static final int SIZE = 8;
        public static final int ASSOC_ID = 0;
        public static final int ASSOC_VALUE = 4;

        private AssocValue() {}
    }

    /// The state of a peer's address.
    /// Offsets in `struct sctp_paddrinfo`.
    public static final class PaddrInfo {
        public static final int SIZE = 152;
        public static final int SPINFO_ASSOC_ID = 0;
        public static final int SPINFO_ADDRESS = 4;
        public static final int SPINFO_STATE = 132;
        public static final int SPINFO_CWND = 136;
        public static final int SPINFO_SRTT = 140;
        public static final int SPINFO_RTO = 144;
        public static final int SPINFO_MTU = 148;

        private PaddrInfo() {}
    }

    /// The value of `SCTP_STATUS`.
    /// Offsets in `struct sctp_status`.
    public static final class Status {
        public static final int SIZE = 176;
        public static final int SSTAT_ASSOC_ID = 0;
        public static final int SSTAT_STATE = 4;
        public static final int SSTAT_RWND = 8;
        public static final int SSTAT_UNACKDATA = 12;
        public static final int SSTAT_PENDDATA = 14;
        public static final int SSTAT_INSTRMS = 16;
        public static final int SSTAT_OUTSTRMS = 18;
        public static final int SSTAT_FRAGMENTATION_POINT = 20;
        public static final int SSTAT_PRIMARY = 24;

        private Status() {}
    }

    /// The beginning of the value of `SCTP_GET_PEER_ADDRS` and of `SCTP_GET_LOCAL_ADDRS`.
    /// Offsets in `struct sctp_getaddrs`.
    public static final class GetAddrs {
        public static final int SIZE = 8;
        public static final int ASSOC_ID = 0;
        public static final int ADDR_NUM = 4;
        public static final int ADDRS = 8;

        private GetAddrs() {}
    }

    /// The association in the value of `SCTP_SOCKOPT_PEELOFF_FLAGS`.
    /// Offsets in `sctp_peeloff_arg_t`.
    public static final class PeeloffArg {
        public static final int SIZE = 8;
        public static final int ASSOCID = 0;
        public static final int SD = 4;

        private PeeloffArg() {}
    }

    /// The value of `SCTP_SOCKOPT_PEELOFF_FLAGS`.
    /// Offsets in `sctp_peeloff_flags_arg_t`.
    public static final class PeeloffFlags {
        public static final int SIZE = 12;
        public static final int P_ARG = 0;
        public static final int FLAGS = 8;

        private PeeloffFlags() {}
    }

    /// The value of `SCTP_RESET_STREAMS`.
    /// Offsets in `struct sctp_reset_streams`.
    public static final class ResetStreams {
        public static final int SIZE = 8;
        public static final int SRS_ASSOC_ID = 0;
        public static final int SRS_FLAGS = 4;
        public static final int SRS_NUMBER_STREAMS = 6;
        public static final int SRS_STREAM_LIST = 8;

        private ResetStreams() {}
    }

    /// The value of `SCTP_ADD_STREAMS`.
    /// Offsets in `struct sctp_add_streams`.
    public static final class AddStreams {
        public static final int SIZE = 8;
        public static final int SAS_ASSOC_ID = 0;
        public static final int SAS_INSTRMS = 4;
        public static final int SAS_OUTSTRMS = 6;

        private AddStreams() {}
    }
}
