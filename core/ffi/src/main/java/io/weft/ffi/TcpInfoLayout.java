package io.weft.ffi;

/// Offsets in `struct tcp_info`, the value of `TCP_INFO`. Kernels add members at the end; those up
/// to `TCPI_TOTAL_RETRANS` have always been there.
public final class TcpInfoLayout {
    /// The size up to what is named here.
    public static final int LENGTH = 168;

    public static final int TCPI_STATE = 0;
    public static final int TCPI_CA_STATE = 1;
    public static final int TCPI_RETRANSMITS = 2;
    public static final int TCPI_PROBES = 3;
    public static final int TCPI_BACKOFF = 4;
    public static final int TCPI_OPTIONS = 5;
    public static final int TCPI_RTO = 8;
    public static final int TCPI_ATO = 12;
    public static final int TCPI_SND_MSS = 16;
    public static final int TCPI_RCV_MSS = 20;
    public static final int TCPI_UNACKED = 24;
    public static final int TCPI_SACKED = 28;
    public static final int TCPI_LOST = 32;
    public static final int TCPI_RETRANS = 36;
    public static final int TCPI_FACKETS = 40;
    public static final int TCPI_LAST_DATA_SENT = 44;
    public static final int TCPI_LAST_ACK_SENT = 48;
    public static final int TCPI_LAST_DATA_RECV = 52;
    public static final int TCPI_LAST_ACK_RECV = 56;
    public static final int TCPI_PMTU = 60;
    public static final int TCPI_RCV_SSTHRESH = 64;
    public static final int TCPI_RTT = 68;
    public static final int TCPI_RTTVAR = 72;
    public static final int TCPI_SND_SSTHRESH = 76;
    public static final int TCPI_SND_CWND = 80;
    public static final int TCPI_ADVMSS = 84;
    public static final int TCPI_REORDERING = 88;
    public static final int TCPI_RCV_RTT = 92;
    public static final int TCPI_RCV_SPACE = 96;
    public static final int TCPI_TOTAL_RETRANS = 100;
    public static final int TCPI_PACING_RATE = 104;
    public static final int TCPI_MAX_PACING_RATE = 112;
    public static final int TCPI_BYTES_ACKED = 120;
    public static final int TCPI_BYTES_RECEIVED = 128;
    public static final int TCPI_SEGS_OUT = 136;
    public static final int TCPI_SEGS_IN = 140;
    public static final int TCPI_NOTSENT_BYTES = 144;
    public static final int TCPI_MIN_RTT = 148;
    public static final int TCPI_DATA_SEGS_IN = 152;
    public static final int TCPI_DATA_SEGS_OUT = 156;
    public static final int TCPI_DELIVERY_RATE = 160;

    private TcpInfoLayout() {}
}
