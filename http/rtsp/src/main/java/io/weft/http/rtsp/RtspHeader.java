package io.weft.http.rtsp;

import io.weft.http.model.HeaderName;

/// The names of header fields that RTSP has and HTTP has not (RFC 2326, 12; RFC 7826, 18).
public final class RtspHeader {
    public static final HeaderName BANDWIDTH = HeaderName.of("bandwidth");
    public static final HeaderName BLOCKSIZE = HeaderName.of("blocksize");
    public static final HeaderName CONFERENCE = HeaderName.of("conference");
    public static final HeaderName CONTENT_BASE = HeaderName.of("content-base");
    public static final HeaderName CSEQ = HeaderName.of("cseq");
    public static final HeaderName MEDIA_PROPERTIES = HeaderName.of("media-properties");
    public static final HeaderName MEDIA_RANGE = HeaderName.of("media-range");
    public static final HeaderName PROXY_REQUIRE = HeaderName.of("proxy-require");
    public static final HeaderName PUBLIC = HeaderName.of("public");
    public static final HeaderName REQUIRE = HeaderName.of("require");
    public static final HeaderName RTP_INFO = HeaderName.of("rtp-info");
    public static final HeaderName SCALE = HeaderName.of("scale");
    public static final HeaderName SESSION = HeaderName.of("session");
    public static final HeaderName SPEED = HeaderName.of("speed");
    public static final HeaderName SUPPORTED = HeaderName.of("supported");
    public static final HeaderName TIMESTAMP = HeaderName.of("timestamp");
    public static final HeaderName TRANSPORT = HeaderName.of("transport");
    public static final HeaderName UNSUPPORTED = HeaderName.of("unsupported");

    private RtspHeader() {}
}
