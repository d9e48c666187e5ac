package io.weft.ffi;

/// Constants of SCTP on Linux (`linux/sctp.h`), as RFC 6458 and the kernel name them.
public final class Sctp {
    // Level and flags

    public static final int IPPROTO_SCTP = 132;
    public static final int MSG_EOR = 128;
    public static final int MSG_NOTIFICATION = 0x8000;

    // Kinds of ancillary data

    public static final int SCTP_INIT = 0;
    public static final int SCTP_SNDRCV = 1;
    public static final int SCTP_SNDINFO = 2;
    public static final int SCTP_RCVINFO = 3;
    public static final int SCTP_NXTINFO = 4;
    public static final int SCTP_PRINFO = 5;
    public static final int SCTP_AUTHINFO = 6;
    public static final int SCTP_DSTADDRV4 = 7;
    public static final int SCTP_DSTADDRV6 = 8;

    // Flags of a message

    public static final int SCTP_UNORDERED = 1;
    public static final int SCTP_ADDR_OVER = 2;
    public static final int SCTP_ABORT = 4;
    public static final int SCTP_SACK_IMMEDIATELY = 8;
    public static final int SCTP_SENDALL = 64;
    public static final int SCTP_EOF = 0x200;

    // Policies of partial reliability

    public static final int SCTP_PR_SCTP_NONE = 0;
    public static final int SCTP_PR_SCTP_TTL = 16;
    public static final int SCTP_PR_SCTP_RTX = 32;
    public static final int SCTP_PR_SCTP_PRIO = 48;

    // Associations in place of one's id

    public static final int SCTP_FUTURE_ASSOC = 0;
    public static final int SCTP_CURRENT_ASSOC = 1;
    public static final int SCTP_ALL_ASSOC = 2;

    // Notifications

    public static final int SCTP_ASSOC_CHANGE = 0x8001;
    public static final int SCTP_PEER_ADDR_CHANGE = 0x8002;
    public static final int SCTP_SEND_FAILED = 0x8003;
    public static final int SCTP_REMOTE_ERROR = 0x8004;
    public static final int SCTP_SHUTDOWN_EVENT = 0x8005;
    public static final int SCTP_PARTIAL_DELIVERY_EVENT = 0x8006;
    public static final int SCTP_ADAPTATION_INDICATION = 0x8007;
    public static final int SCTP_AUTHENTICATION_EVENT = 0x8008;
    public static final int SCTP_SENDER_DRY_EVENT = 0x8009;
    public static final int SCTP_STREAM_RESET_EVENT = 0x800a;
    public static final int SCTP_ASSOC_RESET_EVENT = 0x800b;
    public static final int SCTP_STREAM_CHANGE_EVENT = 0x800c;
    public static final int SCTP_SEND_FAILED_EVENT = 0x800d;

    // States of an association

    public static final int SCTP_COMM_UP = 0;
    public static final int SCTP_COMM_LOST = 1;
    public static final int SCTP_RESTART = 2;
    public static final int SCTP_SHUTDOWN_COMP = 3;
    public static final int SCTP_CANT_STR_ASSOC = 4;

    // States of an address

    public static final int SCTP_ADDR_AVAILABLE = 0;
    public static final int SCTP_ADDR_UNREACHABLE = 1;
    public static final int SCTP_ADDR_REMOVED = 2;
    public static final int SCTP_ADDR_ADDED = 3;
    public static final int SCTP_ADDR_MADE_PRIM = 4;
    public static final int SCTP_ADDR_CONFIRMED = 5;
    public static final int SCTP_ADDR_POTENTIALLY_FAILED = 6;

    // Options

    public static final int SCTP_RTOINFO = 0;
    public static final int SCTP_ASSOCINFO = 1;
    public static final int SCTP_INITMSG = 2;
    public static final int SCTP_NODELAY = 3;
    public static final int SCTP_AUTOCLOSE = 4;
    public static final int SCTP_SET_PEER_PRIMARY_ADDR = 5;
    public static final int SCTP_PRIMARY_ADDR = 6;
    public static final int SCTP_ADAPTATION_LAYER = 7;
    public static final int SCTP_DISABLE_FRAGMENTS = 8;
    public static final int SCTP_PEER_ADDR_PARAMS = 9;
    public static final int SCTP_DEFAULT_SEND_PARAM = 10;
    public static final int SCTP_EVENTS = 11;
    public static final int SCTP_I_WANT_MAPPED_V4_ADDR = 12;
    public static final int SCTP_MAXSEG = 13;
    public static final int SCTP_STATUS = 14;
    public static final int SCTP_GET_PEER_ADDR_INFO = 15;
    public static final int SCTP_DELAYED_ACK_TIME = 16;
    public static final int SCTP_CONTEXT = 17;
    public static final int SCTP_FRAGMENT_INTERLEAVE = 18;
    public static final int SCTP_PARTIAL_DELIVERY_POINT = 19;
    public static final int SCTP_MAX_BURST = 20;
    public static final int SCTP_AUTH_CHUNK = 21;
    public static final int SCTP_HMAC_IDENT = 22;
    public static final int SCTP_AUTH_KEY = 23;
    public static final int SCTP_AUTH_ACTIVE_KEY = 24;
    public static final int SCTP_AUTH_DELETE_KEY = 25;
    public static final int SCTP_PEER_AUTH_CHUNKS = 26;
    public static final int SCTP_LOCAL_AUTH_CHUNKS = 27;
    public static final int SCTP_GET_ASSOC_NUMBER = 28;
    public static final int SCTP_GET_ASSOC_ID_LIST = 29;
    public static final int SCTP_AUTO_ASCONF = 30;
    public static final int SCTP_PEER_ADDR_THLDS = 31;
    public static final int SCTP_RECVRCVINFO = 32;
    public static final int SCTP_RECVNXTINFO = 33;
    public static final int SCTP_DEFAULT_SNDINFO = 34;
    public static final int SCTP_AUTH_DEACTIVATE_KEY = 35;
    public static final int SCTP_REUSE_PORT = 36;
    public static final int SCTP_PEER_ADDR_THLDS_V2 = 37;
    public static final int SCTP_SOCKOPT_BINDX_ADD = 100;
    public static final int SCTP_SOCKOPT_BINDX_REM = 101;
    public static final int SCTP_SOCKOPT_PEELOFF = 102;
    public static final int SCTP_GET_PEER_ADDRS = 108;
    public static final int SCTP_GET_LOCAL_ADDRS = 109;
    public static final int SCTP_SOCKOPT_CONNECTX = 110;
    public static final int SCTP_GET_ASSOC_STATS = 112;
    public static final int SCTP_PR_SUPPORTED = 113;
    public static final int SCTP_DEFAULT_PRINFO = 114;
    public static final int SCTP_PR_ASSOC_STATUS = 115;
    public static final int SCTP_PR_STREAM_STATUS = 116;
    public static final int SCTP_RECONFIG_SUPPORTED = 117;
    public static final int SCTP_ENABLE_STREAM_RESET = 118;
    public static final int SCTP_RESET_STREAMS = 119;
    public static final int SCTP_RESET_ASSOC = 120;
    public static final int SCTP_ADD_STREAMS = 121;
    public static final int SCTP_SOCKOPT_PEELOFF_FLAGS = 122;
    public static final int SCTP_STREAM_SCHEDULER = 123;
    public static final int SCTP_STREAM_SCHEDULER_VALUE = 124;
    public static final int SCTP_INTERLEAVING_SUPPORTED = 125;
    public static final int SCTP_EVENT = 127;
    public static final int SCTP_ASCONF_SUPPORTED = 128;
    public static final int SCTP_AUTH_SUPPORTED = 129;
    public static final int SCTP_ECN_SUPPORTED = 130;
    public static final int SCTP_EXPOSE_POTENTIALLY_FAILED_STATE = 131;
    public static final int SCTP_REMOTE_UDP_ENCAPS_PORT = 132;
    public static final int SCTP_PLPMTUD_PROBE_INTERVAL = 133;

    private Sctp() {}
}
