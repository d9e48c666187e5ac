package io.weft.http.rtsp;

/// The versions of RTSP.
public enum RtspVersion {
    /// RFC 2326.
    RTSP_1_0("RTSP/1.0"),
    /// RFC 7826.
    RTSP_2_0("RTSP/2.0");

    private final String text;

    RtspVersion(String text) {
        this.text = text;
    }

    /// As on the wire: `RTSP/1.0`.
    @Override
    public String toString() {
        return text;
    }
}
